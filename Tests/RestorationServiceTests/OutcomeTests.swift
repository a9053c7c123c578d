import RestorationService
import Testing

struct OutcomeTests {
    /// A phone whose two archives another phone of the user may be served.
    static func bench() async throws -> (ServiceBench, Caller, Caller) {
        let bench = try await ServiceBench()
        let phone = try await bench.join()
        let other = try await bench.join(with: phone)
        try await bench.upload(1, by: phone)
        bench.clock.advance(.seconds(10))
        try await bench.upload(2, by: phone)
        return (bench, phone, other)
    }

    @Test func aCrashQuarantinesAndThePreviousArchiveIsServed() async throws {
        let (bench, phone, other) = try await Self.bench()
        #expect(try await bench.latest(for: other).number == 2)
        try await bench.report(.crashed, of: 2, by: other)
        for caller in [phone, other] {
            let served = try #require(try await bench.latest(for: caller).served)
            #expect(served.archive.id.low == 1 && served.superseded?.by == .seconds(10))
        }
        #expect(try await bench.latest(for: other, bundleVersion: "43").number == 2, "another version may try")
        let context = Context(idiom: .phone, bundleVersion: "42")
        let told = try await bench.service.explainLatest(in: "main", of: nil, for: context, caller: phone)
        #expect(told.candidates.first?.reasons == [Reason(code: "quarantined", archive: "crashed", blocks: .place)])
    }

    @Test func aCrashThatSaysNoVersionProtectsToo() async throws {
        let (bench, phone, other) = try await Self.bench()
        _ = try await bench.latest(for: other)
        try await bench.service.report(
            .crashed, of: ArchiveID(high: 0, low: 2), in: "main", context: Context(idiom: .phone), caller: other)
        for version in ["41", "42", "43"] {
            #expect(try await bench.latest(for: phone, bundleVersion: version).number != 2)
        }
    }

    @Test func aLaterSuccessLiftsTheQuarantine() async throws {
        let (bench, phone, other) = try await Self.bench()
        _ = try await bench.latest(for: other)
        try await bench.report(.failed, of: 2, by: other)
        #expect(try await bench.latest(for: other).number == 1)
        let again = try await bench.service.restorable(
            ArchiveID(high: 0, low: 2), in: "main", for: Context(idiom: .phone, bundleVersion: "42"), caller: other)
        #expect(again.number == 2, "asked for by name, it is served")
        try await bench.report(.restored, of: 2, by: other)
        #expect(try await bench.latest(for: phone).number == 2)
    }

    @Test func abandonedExcludesForThatDeviceOnly() async throws {
        let (bench, phone, other) = try await Self.bench()
        _ = try await bench.latest(for: other)
        try await bench.report(.abandoned, of: 2, by: other)
        #expect(try await bench.latest(for: other).number == 1)
        #expect(try await bench.latest(for: phone).number == 2)
    }

    @Test func aRestoreThatNeverEndedIsAFailureAtTheNextLaunch() async throws {
        let (bench, phone, other) = try await Self.bench()
        _ = try await bench.latest(for: other)
        try await bench.report(.began, of: 2, by: other)
        #expect(try await bench.latest(for: phone).number == 2, "it may still be at it")
        #expect(try await bench.latest(for: other).number == 1, "it was launched again")
        #expect(try await bench.latest(for: phone).number == 1, "and now the user's other devices know")
        #expect(try await bench.latest(for: other).number == 1)
        let outcomes = try await bench.store.outcomes(
            of: ArchiveID(high: 0, low: 2), in: SceneKey(owner: phone.owner, name: "main"))
        #expect(outcomes.map(\.result) == [.began, .failed], "written down once")
    }

    @Test func anExplanationIsNoLaunch() async throws {
        let (bench, phone, other) = try await Self.bench()
        _ = try await bench.latest(for: other)
        try await bench.report(.began, of: 2, by: other)
        let context = Context(idiom: .phone, bundleVersion: "42")
        _ = try await bench.service.explainLatest(in: "main", of: nil, for: context, caller: other)
        #expect(try await bench.latest(for: phone).number == 2)
    }

    @Test func outcomesCountOnlyFromADeviceThatWasServed() async throws {
        let (bench, phone, other) = try await Self.bench()
        let error = await #expect(throws: ServiceError.self) { try await bench.report(.crashed, of: 2, by: other) }
        #expect(error?.code == .outcomeNotServed)
        #expect(try await bench.latest(for: phone).number == 2)
        try await bench.report(.restored, of: 2, by: phone)
        let unknown = await #expect(throws: ServiceError.self) { try await bench.report(.began, of: 9, by: phone) }
        #expect(unknown?.code == .archiveNotFound)
    }

    /// What was answered stays answered for: another process over the same store takes the outcome.
    @Test func aServingOutlivesTheProcess() async throws {
        let (bench, _, other) = try await Self.bench()
        #expect(try await bench.latest(for: other).number == 2)
        let restarted = RestorationService(
            store: bench.store, clock: bench.clock, random: SeededRandom(seed: 2), hashing: MixingHash())
        try await restarted.report(
            .restored, of: ArchiveID(high: 0, low: 2), in: "main", context: Context(idiom: .phone), caller: other)
    }

    @Test func anAnswerOfNotModifiedCountsAsServed() async throws {
        let (bench, phone, other) = try await Self.bench()
        let tag = try #require(try await bench.latest(for: phone).served?.entityTag)
        guard case .notModified = try await bench.latest(for: other, isHeld: { $0 == tag }) else {
            Issue.record("modified")
            return
        }
        try await bench.report(.restored, of: 2, by: other)
    }
}
