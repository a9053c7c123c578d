import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

struct OutcomeTests {
    /// A phone with two archives, and another phone of the same user.
    static func fixture() async throws -> (ServiceFixture, Principal, Principal) {
        let (fixture, phone, other) = try await ServiceFixture().withDevices()
        try await fixture.upload(1, by: phone)
        fixture.clock.advance(.seconds(10))
        try await fixture.upload(2, by: phone)
        return (fixture, phone, other)
    }

    @Test func servesPreviousArchiveAfterCrash() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        #expect(try await fixture.latest(for: other).number == 2)
        try await fixture.report(.crashed, of: 2, by: other)
        let third = try await fixture.join(with: phone)
        for principal in [third, other] {
            let served = try #require(try await fixture.latest(for: principal).served)
            #expect(served.archive.id.low == 1 && served.superseded?.by == .seconds(10))
        }
        let own = try #require(try await fixture.latest(for: phone).served)
        #expect(own.archive.id.low == 2 && own.superseded == nil)
        #expect(own.caution == Reason(code: "crashed-elsewhere", archive: "crashed", blocks: .automatic))
        #expect(try await fixture.latest(for: other, bundleVersion: "43").number == 2, "another version may try")
        let context = Context(idiom: .phone, bundleVersion: "42")
        let told = try await fixture.service.restores.explainLatest(in: "main", of: nil, for: context, principal: third)
        #expect(told.candidates.first?.reasons == [Reason(code: "quarantined", archive: "crashed", blocks: .place)])
    }

    @Test func quarantinesOnlyForUnknownVersionsIfCrashHasNoVersion() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other)
        try await fixture.report(.crashed, of: 2, by: other, bundleVersion: nil)
        let third = try await fixture.join(with: phone)
        for version in ["42", "43"] {
            #expect(try await fixture.latest(for: third, bundleVersion: version).number == 2)
        }
        let unknown = try await fixture.latest(for: third, bundleVersion: nil)
        #expect(unknown.number == 1 && unknown.served?.fidelity == .place)
    }

    @Test func countsEachRestoreOnce() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other)
        for result in [.began, .restored, .began, .failed, .began] as [Outcome.Result] {
            try await fixture.report(result, of: 2, by: other)
        }
        let scene = SceneKey(owner: phone.owner, name: "main")
        let newest = try await fixture.service.browsing.timelineEntry(of: ArchiveID(high: 0, low: 2), in: scene)
        #expect(newest.counts == [.began: 1, .restored: 1, .failed: 1])
        let counts = fixture.service.hourlyCounters.take().filter { $0.key.name == "outcome" }
        #expect(Set(counts.map(\.key.label)) == ["restored", "failed"] && counts.values.reduce(0, +) == 2)
    }

    @Test func explainsQuarantineWithDetailsOfFailure() async throws {
        let (fixture, _, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other)
        let details = Outcome.Details(path: "root/list", step: 1, duration: .milliseconds(250))
        try await fixture.report(.failed, of: 2, by: other, details: details)
        let context = Context(idiom: .phone, bundleVersion: "42")
        let told = try await fixture.service.restores.explainLatest(in: "main", of: nil, for: context, principal: other)
        #expect(
            told.candidates.first?.reasons == [
                Reason(code: "quarantined", archive: "failed", blocks: .place, details: details)
            ])
    }

    @Test(arguments: [
        Outcome.Details(path: ""), Outcome.Details(path: String(repeating: "a", count: 1025)),
        Outcome.Details(path: "a\u{7}"), Outcome.Details(step: -1), Outcome.Details(step: 64),
        Outcome.Details(duration: .milliseconds(-1)), Outcome.Details(duration: .milliseconds(86_400_001)),
    ])
    func rejectsInvalidDetails(_ details: Outcome.Details) async throws {
        let (fixture, phone, _) = try await Self.fixture()
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.report(.failed, of: 2, by: phone, details: details)
        }
        #expect(error?.code == .outcomeInvalid)
        #expect(try await fixture.latest(for: phone).number == 2)
    }

    @Test func liftsQuarantineAfterSuccess() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other)
        try await fixture.report(.failed, of: 2, by: other)
        #expect(try await fixture.latest(for: other).number == 1)
        let again = try await fixture.service.restores.restorable(
            ArchiveID(high: 0, low: 2), in: "main", for: Context(idiom: .phone, bundleVersion: "42"), principal: other)
        #expect(again.number == 2, "a person can still select it")
        try await fixture.report(.restored, of: 2, by: other)
        #expect(try await fixture.latest(for: phone).number == 2)
    }

    @Test func excludesAbandonedArchiveForThatDeviceOnly() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other)
        try await fixture.report(.abandoned, of: 2, by: other)
        #expect(try await fixture.latest(for: other).number == 1)
        #expect(try await fixture.latest(for: phone).number == 2)
    }

    private static let first = LaunchID("first")
    private static let second = LaunchID("second")

    private func outcomes(of fixture: ServiceFixture, _ principal: Principal) async throws -> [Outcome] {
        try await fixture.store.outcomes(
            of: ArchiveID(high: 0, low: 2), in: SceneKey(owner: principal.owner, name: "main"))
    }

    @Test func recordsUnfinishedRestoreAsCrashedAtNextLaunch() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        let third = try await fixture.join(with: phone)
        _ = try await fixture.latest(for: other, launch: Self.first)
        try await fixture.report(.began, of: 2, by: other, launch: Self.first)
        #expect(try await fixture.latest(for: phone, launch: Self.second).number == 2, "its restore may still run")
        #expect(try await fixture.latest(for: other, launch: Self.second).number == 1, "the device was launched again")
        #expect(try await fixture.latest(for: third).number == 1, "it is now quarantined for other devices")
        #expect(try await fixture.latest(for: other).number == 1)
        #expect(
            try await outcomes(of: fixture, phone).map(\.result) == [.began, .crashed], "the crash is recorded once")
    }

    /// A widget or a second process of the device asks without a launch id, or the app itself asks again.
    @Test(arguments: [nil, first])
    func takesNoRequestOfSameLaunchForACrash(_ asking: LaunchID?) async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other, launch: Self.first)
        try await fixture.report(.began, of: 2, by: other, launch: Self.first)
        for _ in 0..<3 { #expect(try await fixture.latest(for: other, launch: asking).number == 2) }
        #expect(try await fixture.latest(for: phone).number == 2)
        #expect(try await outcomes(of: fixture, phone).map(\.result) == [.began])
    }

    @Test func takesNoRequestForACrashAfterBeganWithoutLaunch() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other)
        try await fixture.report(.began, of: 2, by: other)
        for launch in [nil, Self.first] {
            #expect(try await fixture.latest(for: other, launch: launch).number == 2)
        }
        #expect(try await outcomes(of: fixture, phone).map(\.result) == [.began])
    }

    /// The app was updated after the crash. The updated app may try, and the crashed version gets the archive no more.
    @Test func recordsACrashWhenAnotherVersionAsks() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other, launch: Self.first)
        try await fixture.report(.began, of: 2, by: other, launch: Self.first)
        #expect(try await fixture.latest(for: other, bundleVersion: "43", launch: Self.second).number == 2)
        #expect(try await outcomes(of: fixture, phone).map(\.result) == [.began, .crashed])
        #expect(try await fixture.latest(for: try await fixture.join(with: phone)).number == 1)
        #expect(try await fixture.latest(for: phone).served?.caution?.code == "crashed-elsewhere")
    }

    /// The failure counts for the version that began the restore, although the next launch gives no version.
    @Test func recordsFailureWithVersionOfItsRestore() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other, launch: Self.first)
        try await fixture.report(.began, of: 2, by: other, launch: Self.first)
        _ = try await fixture.latest(for: other, bundleVersion: nil, launch: Self.second)
        #expect(try await outcomes(of: fixture, phone).last?.context.bundleVersion == "42")
        #expect(try await fixture.latest(for: try await fixture.join(with: phone)).number == 1)
    }

    @Test func recordsUnfinishedRestoreWhenTheNextLaunchRequestsItsArchive() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        func request(_ launch: LaunchID?) async throws -> Selection {
            try await fixture.service.restores.restorable(
                ArchiveID(high: 0, low: 2), in: "main", for: Context(idiom: .phone, bundleVersion: "42"),
                principal: other,
                launch: launch)
        }
        _ = try await request(Self.first)
        try await fixture.report(.began, of: 2, by: other, launch: Self.first)
        for launch in [nil, Self.first] { #expect(try await request(launch).number == 2) }
        #expect(try await fixture.latest(for: phone).number == 2)
        #expect(try await request(Self.second).number == 2, "a person can still select it")
        #expect(try await fixture.latest(for: try await fixture.join(with: phone)).number == 1)
        #expect(try await outcomes(of: fixture, phone).map(\.result) == [.began, .crashed])
    }

    @Test func explainsUnfinishedRestoreToNextLaunchWithoutRecordingIt() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other, launch: Self.first)
        try await fixture.report(.began, of: 2, by: other, launch: Self.first)
        let context = Context(idiom: .phone, bundleVersion: "42")
        let told = try await fixture.service.restores.explainLatest(
            in: "main", of: nil, for: context, principal: other, launch: Self.second)
        #expect(told.served?.low == 1)
        let now = try await fixture.service.restores.explainLatest(in: "main", of: nil, for: context, principal: other)
        #expect(now.served?.low == 2)
        #expect(try await fixture.latest(for: phone).number == 2)
    }

    @Test func rejectsOutcomeOfDeviceThatWasNotServed() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        let error = await #expect(throws: ServiceError.self) { try await fixture.report(.crashed, of: 2, by: other) }
        #expect(error?.code == .outcomeNotServed)
        #expect(try await fixture.latest(for: phone).number == 2)
        try await fixture.report(.restored, of: 2, by: phone)
        let unknown = await #expect(throws: ServiceError.self) { try await fixture.report(.began, of: 9, by: phone) }
        #expect(unknown?.code == .archiveNotFound)
    }

    @Test func acceptsOutcomeOfMakerThatWasNotServed() async throws {
        let (fixture, phone, _) = try await Self.fixture()
        try await fixture.report(.failed, of: 2, by: phone)
        #expect(try await fixture.latest(for: phone).number == 1)
    }

    /// Another process over the same store accepts an outcome of an archive that the first process served.
    @Test func keepsServingAfterRestart() async throws {
        let (fixture, _, other) = try await Self.fixture()
        #expect(try await fixture.latest(for: other).number == 2)
        let restarted = RestorationService(
            store: fixture.store, clock: fixture.clock, random: SeededRandom(seed: 2), hashing: SpreadingHash())
        try await restarted.restores.report(
            .restored, of: ArchiveID(high: 0, low: 2), in: "main", context: Context(idiom: .phone), principal: other)
    }

    @Test func countsNotModifiedAnswerAsServed() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        let tag = try #require(try await fixture.latest(for: phone).served?.version)
        guard case .notModified = try await fixture.latest(for: other, isHeld: { $0 == tag }) else {
            Issue.record("modified")
            return
        }
        try await fixture.report(.restored, of: 2, by: other)
    }
}
