import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMemoryStore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

struct RestoreLogTests {
    @Test func recordsAServedArchiveWithTheRefusedOnes() async throws {
        let fixture = try await ServiceFixture()
        let (phone, other) = try await fixture.pair()
        try await fixture.upload(1, by: phone)
        fixture.clock.advance(.seconds(1))
        try await fixture.upload(2, by: phone, place: []) { $0.bundleVersion = "43" }
        fixture.clock.advance(.seconds(1))
        try await fixture.upload(3, by: phone)
        #expect(try await fixture.latest(for: other).number == 3)
        try await fixture.report(.failed, of: 3, by: other)
        #expect(try await fixture.latest(for: other).number == 1)
        let answer = try #require(try await fixture.answers().first)
        #expect(answer.at == fixture.clock.now() && answer.owner == phone.owner && answer.device == other.device.id)
        #expect(answer.scene == "main" && answer.asked == Context(idiom: .phone, bundleVersion: "42"))
        #expect(answer.candidates.map(\.archive.low) == [3, 2, 1])
        #expect(answer.candidates.map(\.fidelity) == [nil, nil, .full])
        #expect(answer.candidates.map(\.reasons) == [["quarantined"], ["bundle-version-newer", "no-place"], []])
        #expect(answer.candidates[0].exclusion == Reason(code: "quarantined", archive: "failed", blocks: .place))
        #expect(answer.candidates[1].exclusion == nil)
        #expect(answer.candidates.map(\.facts.hasPlace) == [true, false, true])
        #expect(answer.candidates[1].facts.context.bundleVersion == "43")
        #expect(answer.served?.archive.low == 1)
    }

    @Test func recordsARefusal() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone, place: []) { $0.bundleVersion = "43" }
        #expect(try await fixture.latest(for: phone).refusals != nil)
        let answer = try #require(try await fixture.answers().first)
        #expect(answer.served == nil && answer.candidates.map(\.archive.low) == [1])
    }

    @Test func findsTheAnswersOfASceneBehindManyOfAnother() async throws {
        let fixture = try await ServiceFixture()
        let (phone, other) = try await fixture.pair()
        for (number, scene) in [(1, "editor"), (2, "main"), (3, "main"), (4, "main")] as [(UInt64, String)] {
            try await fixture.upload(number, by: phone, scene: scene)
            _ = try await fixture.service.restores.latest(
                in: scene, of: nil, for: Context(idiom: .phone, bundleVersion: "42"), principal: other)
            try await fixture.service.upkeep.flush()
            fixture.clock.advance(.seconds(1))
        }
        let page = try await fixture.service.health.answers(
            to: phone.owner, in: "editor", of: other.device.id, below: nil, limit: 1)
        #expect(page.answers.map { $0.served?.archive.low } == [1] && page.next == nil)
        let newest = try await fixture.service.health.answers(to: phone.owner, in: nil, of: nil, below: nil, limit: 2)
        #expect(newest.answers.map { $0.served?.archive.low } == [4, 3])
        let next = try await fixture.service.health.answers(
            to: phone.owner, in: nil, of: nil, below: newest.next, limit: 2)
        #expect(next.answers.map { $0.served?.archive.low } == [2, 1])
    }

    @Test func keepsTheNewestAnswersForAStreamThatIsBehind() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone, place: []) { $0.bundleVersion = "43" }
        _ = try await fixture.latest(for: phone)
        let feed = fixture.service.answers
        #expect(feed.entries(of: fixture.app.id, from: 0).entries.isEmpty)
        let start = feed.begin(fixture.app.id)
        for _ in 0...AnswerFeed.limit {
            fixture.clock.advance(.seconds(1))
            _ = try await fixture.latest(for: phone)
        }
        let page = feed.entries(of: fixture.app.id, from: start)
        #expect(page.entries.count == AnswerFeed.limit && page.next == AnswerFeed.limit + 1 && page.isTruncated)
        #expect(!feed.entries(of: fixture.app.id, from: 1).isTruncated)
        #expect(feed.entries(of: fixture.app.id, from: page.next + 1).entries.isEmpty)
        #expect(page.entries.last?.answer.at == fixture.clock.now())
        #expect(page.entries.first?.answer.at == fixture.clock.now() - .seconds(AnswerFeed.limit - 1))
        #expect(page.entries.last?.reasons.map(\.code) == ["bundle-version-newer", "no-place"])
        #expect(feed.entries(of: fixture.app.id, from: page.next - 1).entries.count == 1)
        #expect(feed.entries(of: fixture.app.id, from: page.next).entries.isEmpty)
        feed.end(fixture.app.id)
        #expect(feed.followed == 0)
    }

    @Test func recordsNoAnswerThatGivesNothingNew() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let context = Context(idiom: .phone, bundleVersion: "42")
        // The scene is empty.
        #expect(try await fixture.latest(for: phone).isNothing)
        try await fixture.upload(1, by: phone)
        // The device has the archive.
        guard case .notModified = try await fixture.latest(for: phone, isHeld: { _ in true }) else {
            Issue.record("not 304")
            return
        }
        // The request was HEAD, or had a read-only token.
        _ = try await fixture.service.restores.latest(
            in: "main", of: nil, for: context, principal: phone, isServing: false)
        let reader = Principal(app: phone.app, device: phone.device, access: .readOnly)
        _ = try await fixture.service.restores.latest(in: "main", of: nil, for: context, principal: reader)
        try await fixture.upload(2, by: phone, place: []) { $0.bundleVersion = "43" }
        try await fixture.service.archives.delete(ArchiveID(high: 0, low: 1), in: "main", principal: phone)
        let refused = try await fixture.service.restores.latest(
            in: "main", of: nil, for: context, principal: phone, isServing: false)
        #expect(refused.refusals != nil)
        // An explanation, and an archive that a person selects, are no answers.
        _ = try await fixture.service.restores.explainLatest(in: "main", of: nil, for: context, principal: phone)
        _ = try await fixture.service.restores.restorable(
            ArchiveID(high: 0, low: 2), in: "main", for: context, principal: phone)
        #expect(try await fixture.answers().isEmpty)
    }

    @Test func keepsEachAnswerOfOneSecondThatDiffersFromTheOneBefore() async throws {
        let fixture = try await ServiceFixture()
        let (phone, other) = try await fixture.pair()
        let context = Context(idiom: .phone, bundleVersion: "42")
        var asked: [(ArchiveID?, Context)] = []
        for number in [1, 2] as [UInt64] {
            fixture.clock.advance(.milliseconds(100))
            try await fixture.upload(number, by: phone)
            for version in ["42", "41", "42"] {
                var context = context
                context.bundleVersion = version
                _ = try await fixture.service.restores.latest(in: "main", of: nil, for: context, principal: other)
                asked.append((ArchiveID(high: 0, low: number), context))
            }
        }
        _ = try await fixture.latest(for: phone)
        let answers = try await fixture.answers()
        #expect(answers.filter { $0.device == phone.device.id }.count == 1)
        let others = answers.filter { $0.device == other.device.id }.reversed()
        #expect(others.map(\.asked) == asked.map(\.1))
        #expect(others.map { $0.candidates.first?.archive } == asked.map(\.0))
        #expect(others.allSatisfy { $0.repeats == 0 && $0.lastAt == $0.at })
        _ = try await fixture.latest(for: other)
        #expect(try await fixture.answers().count == 8, "a flush keeps the answers of earlier flushes")
    }

    @Test func countsTheRepeatsOfAnAnswer() async throws {
        let fixture = try await ServiceFixture()
        let (phone, other) = try await fixture.pair()
        try await fixture.upload(1, by: phone)
        let start = fixture.clock.now()
        for _ in 1...3 {
            _ = try await fixture.latest(for: other)
            fixture.clock.advance(.seconds(1))
        }
        let answer = try #require(try await fixture.answers().first)
        #expect(answer.repeats == 2 && answer.at == start && answer.lastAt == start + .seconds(2))
        #expect(try await fixture.answers().count == 1)
    }

    /// Otherwise nobody could say why the device did not get the newer archive.
    @Test func recordsOnceThatADeviceKeepsItsArchiveBecauseANewerOneIsRefused() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone)
        try await fixture.upload(2, by: phone, place: []) { $0.bundleVersion = "43" }
        for _ in 1...2 {
            for _ in 1...2 {
                guard case .notModified = try await fixture.latest(for: phone, isHeld: { _ in true }) else {
                    Issue.record("not 304")
                    return
                }
                fixture.clock.advance(.seconds(1))
            }
            let answer = try #require(try await fixture.answers().first)
            #expect(answer.wasHeld && answer.repeats == 0)
            #expect(answer.candidates.map(\.archive.low) == [2, 1] && answer.served?.archive.low == 1)
        }
        #expect(try await fixture.answers().count == 1)
        try await fixture.upload(3, by: phone, place: []) { $0.bundleVersion = "43" }
        _ = try await fixture.latest(for: phone, isHeld: { _ in true })
        #expect(try await fixture.answers().first?.candidates.map(\.archive.low) == [3, 2, 1])
    }

    /// A peer that alternates its versions gets ten entries a minute, the last of which is the newest.
    @Test func keepsTheNewestOfTooManyDifferentAnswers() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone)
        for number in 1...30 {
            let context = Context(idiom: .phone, bundleVersion: "\(42 + number)")
            _ = try await fixture.service.restores.latest(in: "main", of: nil, for: context, principal: phone)
            fixture.clock.advance(.milliseconds(1))
        }
        let answers = try await fixture.answers()
        #expect(answers.map(\.asked.bundleVersion) == ["72"] + (43...51).reversed().map { "\($0)" })
        #expect(answers.first?.omitted == 20 && answers.dropFirst().allSatisfy { $0.omitted == 0 })
    }

    @Test func limitsTheCandidatesOfAnAnswerAndKeepsTheServedOne() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        for number in 1...20 as ClosedRange<UInt64> {
            fixture.clock.advance(.seconds(1))
            try await fixture.upload(number, by: phone, place: []) { $0.bundleVersion = number == 2 ? "42" : "43" }
        }
        #expect(try await fixture.latest(for: phone).number == 2)
        let answer = try #require(try await fixture.answers().first)
        #expect(answer.candidates.map(\.archive.low) == (6...20).reversed() + [2])
    }

    @Test func takesAThousandAnswersAndReportsOfAnAppAtOnce() throws {
        let log = RestoreLog()
        let app = App(id: AppID(high: 1, low: 1), bundleIdentifier: "a.b", publishableKey: "pk", createdAt: .zero)
        for number in 0..<1500 as Range<UInt64> {
            let owner = Self.owner(number)
            let device = Device(
                id: DeviceID(high: 0, low: number), owner: owner, idiom: .phone, createdAt: .zero, lastSeenAt: .zero)
            let scene = SceneKey(owner: owner, name: "main")
            log.add(
                Choice(
                    in: scene, of: nil, for: Context(idiom: .phone), principal: Principal(app: app, device: device),
                    at: .zero
                ))
            log.add(Self.report(by: number, at: Int64(number)))
        }
        var other = Self.report(by: 1, at: 9)
        other.owner.app = AppID(high: 9, low: 9)
        log.add(other)
        #expect(!log.takesReports(of: Self.owner(2000)) && log.takesReports(of: other.owner))
        let taken = log.take()
        #expect(taken.count { $0.kind == .answer } == 1000)
        #expect(taken.count { $0.kind == .report } == 1001, "the other app has a limit of its own")
        let times = taken.filter { $0.app == app.id }.map(\.at)
        #expect(times == times.sorted())
        #expect(log.take().isEmpty)
        log.restore(taken)
        log.restore(taken)
        #expect(log.take().count == 2001 + 1)
    }

    /// One user cannot fill the log of an app.
    @Test func takesTenAnswersAndReportsOfAUserAtOnce() throws {
        let log = RestoreLog()
        let app = App(id: AppID(high: 1, low: 1), bundleIdentifier: "a.b", publishableKey: "pk", createdAt: .zero)
        let device = Device(
            id: DeviceID(high: 0, low: 1), owner: Self.owner(1), idiom: .phone, createdAt: .zero, lastSeenAt: .zero)
        for number in 1...30 {
            let scene = SceneKey(owner: Self.owner(1), name: "scene\(number)")
            log.add(
                Choice(
                    in: scene, of: nil, for: Context(idiom: .phone), principal: Principal(app: app, device: device),
                    at: .zero
                ))
            log.add(Self.report(by: 1, at: 1))
        }
        #expect(!log.takesReports(of: Self.owner(1)) && log.takesReports(of: Self.owner(2)))
        let taken = log.take()
        #expect(taken.count { $0.kind == .answer } == 10 && taken.count { $0.kind == .report } == 10)
        log.restore(taken)
        log.restore(taken)
        #expect(log.take().count == 20)
        #expect(log.takesReports(of: Self.owner(1)))
    }

    private static func owner(_ number: UInt64) -> UserKey {
        UserKey(app: AppID(high: 1, low: 1), user: UserID(high: 0, low: number + 1))
    }

    static func report(by number: UInt64, at time: Int64) -> RestoreReport {
        RestoreReport(
            at: Timestamp(milliseconds: time), owner: owner(number), device: DeviceID(high: 0, low: number),
            scene: "main", archive: ArchiveID(high: 0, low: 1), result: .failed, source: Context(idiom: .phone),
            target: Context(idiom: .phone))
    }

    @Test func recordsTheEndsOfRestoresWithTheContextOfTheArchive() async throws {
        let fixture = try await ServiceFixture()
        let (phone, other) = try await fixture.pair()
        try await fixture.upload(1, by: phone) { $0.bundleVersion = "41" }
        _ = try await fixture.latest(for: other)
        let details = Outcome.Details(path: "root/list", step: 1, duration: .milliseconds(250))
        for result in Outcome.Result.allCases {
            fixture.clock.advance(.seconds(1))
            try await fixture.report(result, of: 1, by: other, details: details)
        }
        let reports = try await fixture.reports()
        #expect(reports.map(\.result) == [.crashed, .failed, .restored])
        let report = try #require(reports.first)
        #expect(report.source == Context(idiom: .phone, bundleVersion: "41"))
        #expect(report.target == Context(idiom: .phone, bundleVersion: "42"))
        #expect(
            report.network == 0 && report.owner == phone.owner && report.device == other.device.id
                && report.archive.low == 1)
        #expect(report.path == "root/list" && report.duration == .milliseconds(250) && report.scene == "main")
    }

    /// The next launch proves that the restore failed.
    @Test func recordsARestoreThatNeverEnded() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone)
        _ = try await fixture.latest(for: phone, launch: LaunchID("first"))
        try await fixture.report(.began, of: 1, by: phone, launch: LaunchID("first"))
        _ = try await fixture.latest(for: phone, launch: LaunchID("second"))
        #expect(try await fixture.reports().map(\.result) == [.crashed])
    }

    @Test func numbersTheNetworksOfReportsWithoutTheirAddresses() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        for (number, network) in [(1, "192.0.2.1"), (2, "192.0.2.2"), (3, "192.0.2.1"), (4, nil)] as [(UInt64, String?)]
        {
            try await fixture.upload(number, by: phone)
            try await fixture.report(.crashed, of: number, by: phone, from: network)
        }
        let numbers = try await fixture.reports().sorted { $0.archive.low < $1.archive.low }.map(\.network)
        #expect(numbers[0] == numbers[2] && numbers[0] != numbers[1] && numbers[3] == 0)
        #expect(numbers.prefix(3).allSatisfy { $0 > 1 })
        // Another process has another key.
        let other = NetworkNumbers(SpreadingHash())
        #expect(other.number(of: "192.0.2.1") == other.number(of: "192.0.2.1"))
        #expect(other.number(of: "192.0.2.1") != numbers[0])
    }

    @Test func keepsEntriesThatCouldNotBeFlushed() async throws {
        let store = FaultyStore()
        let (fixture, phone) = try await ServiceFixture(store: store.intercepted).withDevice()
        try await fixture.upload(1, by: phone)
        _ = try await fixture.latest(for: phone)
        try await fixture.report(.crashed, of: 1, by: phone)
        store.faults.withLock { $0.writes = StoreError(.full, "no room") }
        await #expect(throws: ServiceError.self) { try await fixture.service.upkeep.flush() }
        store.faults.withLock { $0.writes = nil }
        fixture.clock.advance(.seconds(1))
        _ = try await fixture.latest(for: phone)
        // The archive is quarantined now.
        #expect(try await fixture.answers().map { $0.served?.archive.low } == [nil, 1])
        #expect(try await fixture.reports().count == 1)
    }
}

extension Timestamp {
    static let zero = Timestamp(milliseconds: 0)
}

extension ServiceFixture {
    /// Two phones of one user.
    func pair() async throws -> (Principal, Principal) {
        let phone = try await join()
        return (phone, try await join(with: phone))
    }

    private func entries(_ kind: RestoreLogEntry.Kind) async throws -> [RestoreLogEntry] {
        try await service.upkeep.flush()
        return try await store.restoreLog(kind, of: app.id, below: nil, limit: 10_000).entries
    }

    /// Flushes the log, and returns its answers, the newest first.
    func answers() async throws -> [RestoreAnswer] {
        try await entries(.answer).compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
    }

    func reports() async throws -> [RestoreReport] {
        try await entries(.report).compactMap { if case .report(let report) = $0 { report } else { nil } }
    }

    func change(_ settings: (inout App.Settings) -> Void) async throws {
        var changed = try await service.apps.app(.id(app.id)).settings
        settings(&changed)
        try await service.apps.replaceSettings(of: app.id, with: changed)
    }
}
