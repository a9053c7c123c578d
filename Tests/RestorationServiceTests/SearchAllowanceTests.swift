import Concurrency
import TestSupport
import Testing

@testable import RestorationService

/// The work budget of one request that follows evidence from device to device.
@Suite struct SearchAllowanceTests {
    /// Resolves the same item many times. Only a third device connects it with the requesting device's item.
    private func find(_ count: Int, within questions: Int) async throws -> [ItemResolution] {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("o1", aliases: ["a", "b"]), on: fixture.other)
        try await fixture.register(Item("q1", aliases: ["b"]), on: fixture.pad)
        let resolver = try await IdentityResolver(
            fixture.service, ItemList(owner: fixture.phone.owner, dataSource: IdentityFixture.list),
            from: fixture.phone.device.id, for: fixture.pad.device.id, writtenAt: fixture.service.clock.now(),
            within: SearchAllowance(questions))
        return try await resolver.resolve(Array(repeating: Evidence("p1"), count: count))
    }

    @Test(arguments: [(questions: 0, finds: false), (questions: 5, finds: false), (questions: 1000, finds: true)])
    func leavesReferencePendingWhenBudgetIsSpent(_ questions: Int, _ finds: Bool) async throws {
        let found = try await find(1, within: questions)
        #expect(found.map(\.identifier) == [finds ? "q1" : nil])
        #expect(found.map(\.step) == [finds ? .alias : .pending])
    }

    @Test func isSpentOnceForRepeatedIdentifier() async throws {
        #expect(try await find(600, within: 10).allSatisfy { $0.identifier == "q1" })
    }

    /// Resolves evidence. The alias x is ambiguous on one device, and the pad has items with the aliases a1 and a2.
    private func ask(
        _ evidence: [Evidence], within questions: Int
    ) async throws -> (found: [ItemResolution], store: FaultyStore) {
        let store = FaultyStore()
        let fixture = try await IdentityFixture(store: store.intercepted)
        try await fixture.register(Item("o1", aliases: ["x"]), Item("o2", aliases: ["x"]), on: fixture.other)
        try await fixture.register(Item("q1", aliases: ["a1"]), Item("q2", aliases: ["a2"]), on: fixture.pad)
        let resolver = try await IdentityResolver(
            fixture.service, ItemList(owner: fixture.phone.owner, dataSource: IdentityFixture.list),
            from: fixture.phone.device.id, for: fixture.pad.device.id, writtenAt: fixture.service.clock.now(),
            within: SearchAllowance(questions))
        return (try await resolver.resolve(evidence), store)
    }

    /// Each alias is checked for ambiguity once, and in limited batches.
    @Test func isSpentOnceForAliasOfManyReferences() async throws {
        let evidence = (0..<100).map { number in
            Evidence(nil, aliases: ["a1", "x"] + (2..<32).map { "b\(number).\($0)" })
        }
        let (found, store) = try await ask(evidence, within: 100_000)
        #expect(found.map(\.identifier) == Array(repeating: "q1", count: 100))
        let asked = store.asked("areAmbiguous(_:in:)")
        #expect(asked.largest <= Limits.aliasesAtOnce)
        #expect(asked.total == 2 + 100 * 30)
    }

    /// An alias that was not checked is not evidence. Aliases that were checked before the budget was spent still
    /// count.
    @Test func treatsUncheckedAliasesAsAmbiguousWhenBudgetIsSpent() async throws {
        let many = (0..<Limits.evidenceAtOnce).map { Evidence(nil, aliases: ["c\($0)"]) }
        let evidence = [Evidence(nil, aliases: ["a1"])] + many + [Evidence(nil, aliases: ["a2"])]
        let (found, store) = try await ask(evidence, within: Limits.evidenceAtOnce + 1)
        #expect(found.first?.identifier == "q1")
        #expect(found.last?.step == .unresolved)
        #expect(store.asked("areAmbiguous(_:in:)").total <= 2 * (Limits.evidenceAtOnce + 1))
        #expect(try await ask(evidence, within: 10_000).found.last?.identifier == "q2")
    }
}
