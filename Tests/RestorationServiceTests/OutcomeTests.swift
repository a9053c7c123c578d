import TestSupport
import RestorationService
import Testing

struct OutcomeTests {
    /// A phone with two archives, and another phone of the same user.
    static func fixture() async throws -> (ServiceFixture, Caller, Caller) {
        let fixture = try await ServiceFixture()
        let phone = try await fixture.join()
        let other = try await fixture.join(with: phone)
        try await fixture.upload(1, by: phone)
        fixture.clock.advance(.seconds(10))
        try await fixture.upload(2, by: phone)
        return (fixture, phone, other)
    }

    @Test func servesPreviousArchiveAfterCrash() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        #expect(try await fixture.latest(for: other).number == 2)
        try await fixture.report(.crashed, of: 2, by: other)
        for caller in [phone, other] {
            let served = try #require(try await fixture.latest(for: caller).served)
            #expect(served.archive.id.low == 1 && served.superseded?.by == .seconds(10))
        }
        #expect(try await fixture.latest(for: other, bundleVersion: "43").number == 2, "another version may try")
        let context = Context(idiom: .phone, bundleVersion: "42")
        let told = try await fixture.service.explainLatest(in: "main", of: nil, for: context, caller: phone)
        #expect(told.candidates.first?.reasons == [Reason(code: "quarantined", archive: "crashed", blocks: .place)])
    }

    @Test func quarantinesForAllVersionsIfCrashHasNoVersion() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other)
        try await fixture.service.report(
            .crashed, of: ArchiveID(high: 0, low: 2), in: "main", context: Context(idiom: .phone), caller: other)
        for version in ["41", "42", "43"] {
            #expect(try await fixture.latest(for: phone, bundleVersion: version).number != 2)
        }
    }

    @Test func liftsQuarantineAfterSuccess() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other)
        try await fixture.report(.failed, of: 2, by: other)
        #expect(try await fixture.latest(for: other).number == 1)
        let again = try await fixture.service.restorable(
            ArchiveID(high: 0, low: 2), in: "main", for: Context(idiom: .phone, bundleVersion: "42"), caller: other)
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

    @Test func recordsUnfinishedRestoreAsFailedAtNextLaunch() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other)
        try await fixture.report(.began, of: 2, by: other)
        #expect(try await fixture.latest(for: phone).number == 2, "its restore may still run")
        #expect(try await fixture.latest(for: other).number == 1, "the device was launched again")
        #expect(try await fixture.latest(for: phone).number == 1, "it is now quarantined for all devices")
        #expect(try await fixture.latest(for: other).number == 1)
        let outcomes = try await fixture.store.outcomes(
            of: ArchiveID(high: 0, low: 2), in: SceneKey(owner: phone.owner, name: "main"))
        #expect(outcomes.map(\.result) == [.began, .failed], "the failure is recorded once")
    }

    @Test func doesNotCloseUnfinishedRestoreForExplanation() async throws {
        let (fixture, phone, other) = try await Self.fixture()
        _ = try await fixture.latest(for: other)
        try await fixture.report(.began, of: 2, by: other)
        let context = Context(idiom: .phone, bundleVersion: "42")
        _ = try await fixture.service.explainLatest(in: "main", of: nil, for: context, caller: other)
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

    /// Another process over the same store accepts an outcome of an archive that the first process served.
    @Test func keepsServingAfterRestart() async throws {
        let (fixture, _, other) = try await Self.fixture()
        #expect(try await fixture.latest(for: other).number == 2)
        let restarted = RestorationService(
            store: fixture.store, clock: fixture.clock, random: SeededRandom(seed: 2), hashing: SpreadingHash())
        try await restarted.report(
            .restored, of: ArchiveID(high: 0, low: 2), in: "main", context: Context(idiom: .phone), caller: other)
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
