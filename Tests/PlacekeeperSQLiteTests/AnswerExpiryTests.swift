import PlacekeeperCore
import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperStoreConformance
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite

/// Checks that an answer of `latest` is repeated only while a fresh answer would be the same.
struct AnswerExpiryTests {
    private static let questions = [
        Context(idiom: .phone, bundleVersion: "1"),
        Context(idiom: .pad, layout: .regular, bundleVersion: "0"),
    ]

    private struct Answer {
        var version: Int64
        var served: Selection.Served
        var bytes: [UInt8]
    }

    @Test(arguments: 1...6)
    func matchesFreshAnswersAfterRandomIntents(_ seed: Int) async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let clock = ManualClock(at(0))
        let service = RestorationService(store: store, clock: clock, random: NoRandom(), hashing: NoHash())
        // The store in memory caches no heads, so its answers are fresh.
        let model = InMemoryStore()
        let fresh = RestorationService(store: model, clock: clock, random: NoRandom(), hashing: NoHash())
        var intents = RandomIntents(seed: UInt64(seed))
        var settings = App.Settings()
        var principals = Self.principals(settings)
        var answers: [[Int]: Answer] = [:]
        var hits = 0
        for step in 0..<300 {
            let intent = intents.next()
            _ = try await intent.carryOut(in: store)
            _ = try await intent.carryOut(in: model)
            clock.set(max(clock.now(), intents.now))
            if step % 30 == 29 {
                settings.policy.acceptedIdioms = step % 60 == 29 ? ["pad": ["phone"]] : [:]
                settings.policy.maximumAge = .days(step % 90 == 29 ? 1 : 30)
                principals = Self.principals(settings)
                answers = [:]
            }
            for (index, principal) in principals.enumerated() {
                for (number, context) in Self.questions.enumerated() {
                    let version = try await store.userVersion(of: principal.owner).version
                    let own = try await service.restores.latest(in: "main", of: nil, for: context, principal: principal)
                    let selection = try await fresh.restores.latest(
                        in: "main", of: nil, for: context, principal: principal)
                    var kept = answers[[index, number]]
                    if kept?.version != version || kept?.served.expiry ?? at(0) < clock.now() { kept = nil }
                    guard case .served(let served, let bytes) = selection else {
                        #expect(kept == nil, "step \(step)")
                        continue
                    }
                    if let kept {
                        hits += 1
                        #expect(kept.served.version == served.version && kept.served.head == served.head)
                        #expect(kept.served.archive.id == served.archive.id && kept.bytes == bytes)
                        #expect(kept.served.superseded == served.superseded)
                    }
                    guard case .served(let answer, let content) = own else {
                        Issue.record("step \(step): not served")
                        continue
                    }
                    #expect(answer.version == served.version && content == bytes, "step \(step)")
                    guard answer.expiry != nil else { continue }
                    answers[[index, number]] = Answer(version: version, served: answer, bytes: content)
                }
            }
        }
        #expect(hits > 100)
    }

    @Test func expiresWithThePolicysMaximumAge() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let clock = ManualClock(at(0))
        let service = RestorationService(store: store, clock: clock, random: NoRandom(), hashing: NoHash())
        _ = try await store.put(sample(1), retention: 20)
        let principal = Self.principals(App.Settings())[0]
        let selection = try await service.restores.latest(
            in: "main", of: nil, for: Self.questions[0], principal: principal)
        guard case .served(let served, _) = selection else { return #expect(Bool(false), "not served") }
        #expect(served.expiry == at(1) + .seconds(30 * 86_400))
    }

    /// The next launch gets another answer.
    @Test func doesNotRepeatAnAnswerWhileARestoreIsUnfinished() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let clock = ManualClock(at(9))
        let service = RestorationService(store: store, clock: clock, random: NoRandom(), hashing: NoHash())
        let principal = Self.principals(App.Settings())[0]
        _ = try await store.put(sample(1), retention: 20)
        _ = try await store.put(sample(2), retention: 20)
        try await service.restores.report(
            .began, of: ArchiveID(high: 0, low: 2), in: "main", context: Self.questions[0],
            launch: LaunchID("first"), principal: principal)
        func ask(_ launch: String?, isServing: Bool = true) async throws -> Selection.Served? {
            let selection = try await service.restores.latest(
                in: "main", of: nil, for: Self.questions[0], principal: principal,
                launch: launch.flatMap { LaunchID($0) }, isServing: isServing)
            guard case .served(let served, _) = selection else { return nil }
            return served
        }
        for launch in [nil, "first"] {
            let running = try #require(try await ask(launch))
            #expect(running.archive.id.low == 2 && running.expiry == nil)
        }
        let looked = try #require(try await ask("second", isServing: false))
        #expect(looked.archive.id.low == 1 && looked.expiry == nil)
        let launched = try #require(try await ask("second"))
        #expect(launched.archive.id.low == 1 && launched.expiry == nil)
        let again = try #require(try await ask("second"))
        #expect(again.archive.id.low == 1 && again.expiry != nil)
    }

    private static func principals(_ settings: App.Settings) -> [Principal] {
        let app = App(
            id: owner().app, bundleIdentifier: "com.example.photos", publishableKey: "pk_", createdAt: at(0),
            settings: settings)
        return (1...3 as ClosedRange<UInt64>).map { number in
            let device = sampleDevice(number)
            return Principal(app: app, device: device)
        }
    }
}

/// The tests do not use the bytes, so the bytes need not be random.
private struct NoRandom: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}

private struct NoHash: Hashing {
    func sha256(_ bytes: UnsafeRawBufferPointer) -> Digest { Digest(0, 0, 0, 0) }
}
