import TestSupport
import Concurrency
import KeyedArchive
import RestorationService
import StoreConformance
import Testing

@testable import SQLiteStore

/// Checks that each cached answer of `latest` equals a fresh one.
struct RememberedAnswerTests {
    /// An answer in the form that the service caches.
    private final class Form: AnswerForm {
        let served: Selection.Served
        let bytes: [UInt8]

        init(_ served: Selection.Served, _ bytes: [UInt8]) {
            self.served = served
            self.bytes = bytes
        }
    }

    private static let questions = [
        ("phone", Context(idiom: .phone, bundleVersion: "1")),
        ("pad", Context(idiom: .pad, layout: .regular, bundleVersion: "0")),
    ]

    @Test(arguments: 1...6)
    func matchesFreshAnswersAfterRandomIntents(_ seed: Int) async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let clock = ManualClock(at(0))
        let service = RestorationService(
            store: store, clock: clock, random: NoRandom(), hashing: NoHash())
        var intents = RandomIntents(seed: UInt64(seed))
        var settings = App.Settings()
        var callers = Self.callers(settings)
        var hits = 0
        for step in 0..<300 {
            try await intents.next().carryOut(in: store)
            clock.set(max(clock.now(), intents.now))
            if step % 30 == 29 {
                settings.policy.acceptedIdioms = step % 60 == 29 ? ["pad": ["phone"]] : [:]
                settings.policy.maximumAgeDays = step % 90 == 29 ? 1 : 30
                callers = Self.callers(settings)
            }
            for caller in callers {
                for (words, context) in Self.questions {
                    let question = Array(words.utf8)[...]
                    let form = try service.remembered(question, in: "main", caller: caller) as? Form
                    let selection = try await service.latest(in: "main", of: nil, for: context, caller: caller)
                    guard case .served(let served, let bytes) = selection else {
                        #expect(form == nil, "step \(step)")
                        continue
                    }
                    if let form {
                        hits += 1
                        #expect(form.served.version == served.version && form.served.head == served.head)
                        #expect(form.served.archive.id == served.archive.id && form.bytes == bytes)
                        #expect(form.served.superseded == served.superseded)
                    }
                    service.remember(Form(served, bytes), of: served, with: bytes, to: question, caller: caller)
                }
            }
        }
        #expect(hits > 100)
    }

    /// A device's registration changes the archives that other devices are served, although no scene is written.
    @Test func removesAnswerWhenIdentitiesChange() async throws {
        let directory = try DataDirectory()
        let album = try await Album(try directory.open())
        // The first request is noted as served, which is a write.
        _ = try await album.ask()
        let first = try #require(try await album.ask())
        album.remember(first)
        #expect(try album.identifier(in: first) == nil)
        #expect(try album.remembered() != nil)
        _ = try await album.service.apply(
            ItemDelta(upserts: [Item("q1", aliases: ["a"])]), to: "photos", for: album.callers[1])
        #expect(try album.remembered() == nil)
        let second = try #require(try await album.ask())
        album.remember(second)
        #expect(try album.identifier(in: second) == "q1")
        #expect(try album.remembered() != nil)
        album.service.invalidateCaches()
        #expect(try album.remembered() == nil)
    }

    /// A rewritten archive shares no bytes with the stored one and can be much larger. The store counts its size, and
    /// does not cache it above the limit.
    @Test(arguments: [(1, true), (800, false)])
    func countsSizeOfRewrittenArchive(_ references: Int, isHeld: Bool) async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let album = try await Album(store, references: references)
        _ = try await album.service.apply(
            ItemDelta(upserts: [Item(String(repeating: "q", count: 500), aliases: ["a"])]), to: "photos",
            for: album.callers[1])
        // The first request is noted as served, which is a write.
        _ = try await album.ask()
        let form = try #require(try await album.ask())
        let scene = form.served.archive.scene
        let own = try #require(store.rememberedHead(of: scene)).size
        #expect(own == form.served.archive.size && own <= HeadCache.largest)
        album.remember(form)
        #expect(try (album.remembered() != nil) == isHeld)
        #expect(store.rememberedHead(of: scene)?.size == own + (isHeld ? form.bytes.count : 0))
    }

    /// A move removes the device's registrations from one user, and adds a device to another user.
    @Test(arguments: [(2, 3), (3, 0)] as [(Int, Int)])
    func ignoresAnswerFromBeforeADeviceMoved(_ moving: Int, to host: Int) async throws {
        let directory = try DataDirectory()
        let album = try await Album(try directory.open())
        _ = try await album.ask()
        let early = try #require(try await album.ask())
        let code = try await album.service.createLinkCode(for: album.callers[host]).code
        _ = try await album.service.link(album.callers[moving], with: code)
        // This request caches the head again, while the early answer is still on its way.
        let late = try #require(try await album.ask())
        album.remember(early)
        #expect(try album.remembered() == nil)
        album.remember(late)
        #expect(try album.remembered() != nil)
    }

    /// Three devices of one user and one of another user. An archive of the first device refers to a registered item,
    /// and the second device requests it.
    private struct Album {
        let service: RestorationService
        private(set) var callers: [Caller] = []
        private let question = Array("phone".utf8)[...]

        init(_ store: SQLiteStore, references count: Int = 1) async throws {
            let clock = ManualClock(at(0))
            service = RestorationService(
                store: store, clock: clock, random: NoRandom(), hashing: SpreadingHash())
            let app = try await service.createApp("com.example.photos")
            try await service.redeclare([("photos", DataSource(scope: .registered))], of: app)
            for (number, user) in [9, 9, 9, 10].enumerated() as EnumeratedSequence<[UInt64]> {
                let device = Device(
                    id: DeviceID(high: 9, low: UInt64(number)),
                    owner: UserKey(app: app.id, user: UserID(high: 9, low: user)), idiom: .phone,
                    createdAt: clock.now(), lastSeenAt: clock.now())
                _ = try await store.register(device, token: Digest(9, 9, 9, UInt64(number)), linkCode: nil)
                callers.append(Caller(app: try await service.app(.id(app.id)), device: device))
            }
            let reference = ModelReference(
                dataSource: "photos", element: .init("p1", aliases: ["a"]), role: .selected)
            let bytes = try StateArchive(
                bundleVersion: "1", idiom: 0, references: Array(repeating: reference, count: count)
            ).encoded()
            _ = try await service.store(
                Upload(id: ArchiveID(high: 0, low: 1), scene: "main", bytes: bytes), for: callers[0])
        }

        func ask() async throws -> Form? {
            let selection = try await service.latest(
                in: "main", of: nil, for: Context(idiom: .phone, bundleVersion: "1"), caller: callers[1])
            guard case .served(let served, let bytes) = selection else { return nil }
            return Form(served, bytes)
        }

        func remember(_ form: Form) {
            service.remember(form, of: form.served, with: form.bytes, to: question, caller: callers[1])
        }

        func remembered() throws -> Form? {
            try service.remembered(question, in: "main", caller: callers[1]) as? Form
        }

        /// The identifier of the archive's reference for the requesting device.
        func identifier(in form: Form) throws -> String? {
            try ReferenceTable(reading: form.bytes).references[0].element.identifier
        }
    }

    @Test func removesAnswerWithItsHeadAndAtItsExpiry() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let clock = ManualClock(at(0))
        let service = RestorationService(store: store, clock: clock, random: NoRandom(), hashing: NoHash())
        let callers = Self.callers(App.Settings())
        func ask(_ caller: Caller) async throws {
            let selection = try await service.latest(
                in: "main", of: nil, for: Self.questions[0].1, caller: caller)
            guard case .served(let served, let bytes) = selection else { return }
            service.remember(Form(served, bytes), of: served, with: bytes, to: [1], caller: caller)
        }
        func isRemembered(_ caller: Caller, _ question: [UInt8] = [1]) throws -> Bool {
            try service.remembered(question[...], in: "main", caller: caller) != nil
        }
        _ = try await store.put(sample(1), retention: 20)
        try await ask(callers[0])
        #expect(try isRemembered(callers[0]))
        // Another question, or another device, gets no cached answer.
        #expect(try !isRemembered(callers[0], [2]))
        #expect(try !isRemembered(callers[1]))
        #expect(try !isRemembered(Self.callers(App.Settings())[0]), "the device as it is after a change")
        clock.set(at(1) + .seconds(30 * 86_400))
        #expect(try isRemembered(callers[0]))
        clock.advance(.milliseconds(1))
        #expect(try !isRemembered(callers[0]))
        clock.set(at(2))
        _ = try await store.put(sample(2), retention: 20)
        #expect(try !isRemembered(callers[0]))
    }

    @Test func keepsOnlyTheNewestAnswers() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let service = RestorationService(store: store, clock: ManualClock(at(0)), random: NoRandom(), hashing: NoHash())
        _ = try await store.put(sample(1), retention: 20)
        let caller = Self.callers(App.Settings())[0]
        for number in 0..<9 as Range<UInt8> {
            let selection = try await service.latest(in: "main", of: nil, for: Self.questions[0].1, caller: caller)
            guard case .served(let served, let bytes) = selection else { continue }
            service.remember(Form(served, bytes), of: served, with: bytes, to: [number], caller: caller)
        }
        let kept = try (0..<9 as Range<UInt8>).filter {
            try service.remembered([$0], in: "main", caller: caller) != nil
        }
        #expect(kept == [6, 7, 8])
    }

    @Test func cachesNoAnswerWithBytesAboveTheLimit() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let service = RestorationService(store: store, clock: ManualClock(at(0)), random: NoRandom(), hashing: NoHash())
        let large = [UInt8](repeating: 7, count: HeadCache.largest + 1)
        _ = try await store.put(sample(1, bytes: large), retention: 20)
        let caller = Self.callers(App.Settings())[0]
        let selection = try await service.latest(in: "main", of: nil, for: Self.questions[0].1, caller: caller)
        guard case .served(let served, let bytes) = selection else {
            Issue.record("not served")
            return
        }
        service.remember(Form(served, bytes), of: served, with: bytes, to: [1], caller: caller)
        #expect(try service.remembered([1], in: "main", caller: caller) == nil)
        service.remember(Form(served, []), of: served, with: nil, to: [1], caller: caller)
        #expect(try service.remembered([1], in: "main", caller: caller) != nil)
    }

    private static func callers(_ settings: App.Settings) -> [Caller] {
        let app = App(
            id: owner().app, bundleIdentifier: "com.example.photos", publishableKey: "pk_", createdAt: at(0),
            settings: settings)
        return (1...3 as ClosedRange<UInt64>).map { number in
            let device = sampleDevice(number)
            return Caller(app: app, device: device)
        }
    }
}

/// Unused here, so the bytes need not be random.
private struct NoRandom: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}

private struct NoHash: Hashing {
    func sha256(_ bytes: UnsafeRawBufferPointer) -> Digest { Digest(0, 0, 0, 0) }
}
