import PlacekeeperArchive
import PlacekeeperConcurrency
import PlacekeeperCore
@testable import PlacekeeperMatching
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

/// The work budget of one request.
@Suite struct WorkBudgetTests {
    @Test func keepsReserveForEvidence() {
        let budget = WorkBudget(10, evidenceReserve: 4)
        #expect(!budget.take(7, for: .search))
        #expect(budget.take(6, for: .search))
        #expect(!budget.take(1, for: .search))
        #expect(!budget.take(5, for: .evidence))
        #expect(budget.take(4, for: .evidence))
        #expect(!budget.take(1, for: .evidence))
    }

    @Test func letsEvidenceTakeTheWholeBudget() {
        let budget = WorkBudget(10, evidenceReserve: 4)
        #expect(budget.take(10, for: .evidence))
        #expect(!budget.take(1, for: .search))
    }

    @Test func takesEvidenceFromTheReserveFirst() {
        let budget = WorkBudget(10, evidenceReserve: 4)
        #expect(budget.take(4, for: .evidence))
        #expect(budget.take(6, for: .search))
        #expect(!budget.take(1, for: .evidence))
    }

    /// Returns a resolver that finds the pad's items for the phone's items.
    private func resolver(_ fixture: IdentityFixture, within budget: WorkBudget) async throws -> IdentityResolver {
        try await IdentityResolver(
            fixture.service.identityEnvironment,
            ItemList(owner: fixture.phone.owner, dataSource: IdentityFixture.list), from: fixture.phone.device.id,
            for: fixture.pad.device.id, writtenAt: fixture.service.clock.now(), within: budget)
    }

    /// Resolves the same item `count` times. Only an item of a third device connects this item with the requesting
    /// device's item.
    private func find(_ count: Int, within budget: WorkBudget) async throws -> [ItemResolution] {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("o1", aliases: ["a", "b"]), on: fixture.other)
        try await fixture.register(Item("q1", aliases: ["b"]), on: fixture.pad)
        return try await resolver(fixture, within: budget)
            .resolve(Array(repeating: Evidence("p1"), count: count))
    }

    @Test(arguments: [(lookups: 0, finds: false), (lookups: 5, finds: false), (lookups: 1000, finds: true)])
    func leavesReferencePendingWhenBudgetIsSpent(_ lookups: Int, _ finds: Bool) async throws {
        let found = try await find(1, within: WorkBudget(lookups + 20, evidenceReserve: 20))
        #expect(found.map(\.identifier) == [finds ? "q1" : nil])
        #expect(found.map(\.step) == [finds ? .alias : .pending])
    }

    @Test func isSpentOnceForRepeatedIdentifier() async throws {
        let found = try await find(600, within: WorkBudget(10, evidenceReserve: 0))
        #expect(found.allSatisfy { $0.identifier == "q1" })
    }

    /// Resolves evidence. The alias x is ambiguous on one device, and the pad has items with the aliases a1 and a2.
    private func resolve(
        _ evidence: [Evidence], within budget: WorkBudget
    ) async throws -> (found: [ItemResolution], store: FaultyStore) {
        let store = FaultyStore()
        let fixture = try await IdentityFixture(store: store.intercepted)
        try await fixture.register(Item("o1", aliases: ["x"]), Item("o2", aliases: ["x"]), on: fixture.other)
        try await fixture.register(Item("q1", aliases: ["a1"]), Item("q2", aliases: ["a2"]), on: fixture.pad)
        return (try await resolver(fixture, within: budget).resolve(evidence), store)
    }

    /// Each alias is checked for ambiguity once, and in limited batches.
    @Test func isSpentOnceForAliasOfManyReferences() async throws {
        let evidence = (0..<100).map { number in
            Evidence(nil, aliases: ["a1", "x"] + (2..<32).map { "b\(number).\($0)" })
        }
        let count = 2 + 100 * 30
        let (found, store) = try await resolve(evidence, within: WorkBudget(count, evidenceReserve: count))
        #expect(found.map(\.identifier) == Array(repeating: "q1", count: 100))
        let asked = store.asked("areAmbiguous(_:in:)")
        #expect(asked.largest <= Limits.batch)
        #expect(asked.total == count)
        // The items themselves are looked up in limited batches, too.
        #expect(store.asked("items(withAliases:in:)").largest <= Limits.batch)
    }

    /// An alias that was not checked is not evidence. Aliases that were checked before the budget was spent are still
    /// evidence.
    @Test func treatsUncheckedAliasesAsAmbiguousWhenBudgetIsSpent() async throws {
        let many = (0..<Limits.batch).map { Evidence(nil, aliases: ["c\($0)"]) }
        let evidence = [Evidence(nil, aliases: ["a1"])] + many + [Evidence(nil, aliases: ["a2"])]
        let count = Limits.batch + 1
        let (found, store) = try await resolve(evidence, within: WorkBudget(count, evidenceReserve: count))
        #expect(found.first?.identifier == "q1")
        #expect(found.last?.step == .unresolved)
        #expect(store.asked("areAmbiguous(_:in:)").total <= count)
        let enough = WorkBudget(10_000, evidenceReserve: 10_000)
        #expect(try await resolve(evidence, within: enough).found.last?.identifier == "q2")
    }

    /// The searches for the items of the first batch take all lookups except the reserve. The evidence of both batches
    /// takes the whole reserve, so the second batch still has its evidence.
    @Test func findsItemsDirectlyAfterSearchesReachedTheReserve() async throws {
        let reserve = Limits.batch + 600
        let unknown = (0..<reserve - 1).map { Evidence(nil, aliases: ["c\($0)"]) }
        let searches = Limits.batch / 2
        let budget = WorkBudget(searches + reserve, evidenceReserve: reserve)
        let found = try await resolve(unknown + [Evidence(nil, aliases: ["a2"])], within: budget).found
        #expect(found.last?.identifier == "q2")
        #expect(!budget.take(1, for: .evidence))
    }

    /// An item found by a weak alias needs a look at its neighbors. An item found by another alias does not.
    @Test(arguments: [true, false])
    func takesNoItemByAWeakAliasWhenBudgetIsSpent(isSpent: Bool) async throws {
        let fixture = try await IdentityFixture()
        for (principal, name) in [(fixture.phone, "p"), (fixture.pad, "q")] {
            let keys = ["key:a", "key:b", "key:c", "id:d"]
            try await fixture.register(
                keys.enumerated().map { Item("\(name)\($0)", aliases: [$1], position: Int64($0)) }, on: principal)
        }
        try await fixture.register(Item("o1", aliases: ["key:x"]), Item("o2", aliases: ["key:x"]), on: fixture.other)
        let budget = WorkBudget(2000 + (isSpent ? 0 : Limits.alignmentLookups + 100), evidenceReserve: 2000)
        let found = try await AlignmentSearch.resolve(
            ["p1", "p3"], with: try await resolver(fixture, within: budget), uniqueAliases: [])
        #expect(found.map(\.identifier) == [isSpent ? nil : "q1", "q3"])
        #expect(found.map(\.step) == [isSpent ? .pending : .alias, .alias])
        #expect(found.map(\.limitedBy) == [isSpent ? .neighbors : nil, nil])
    }

    /// Serves a removed or pending item of one data source, and an item of another data source that is found directly. The
    /// evidence of the first eight neighbors takes 256 lookups. The evidence of the second data source takes 201.
    private func serve(
        within budget: WorkBudget, isPending: Bool = false
    ) async throws -> (neighbor: ItemResolution?, direct: ItemResolution?) {
        var fixture = try await IdentityFixture()
        let lists = ["albums", IdentityFixture.list]
        _ = try await fixture.service.lists.declare(DataSource(scope: .registered), named: lists[0], for: fixture.phone)
        let app = try await fixture.service.apps.app(.id(fixture.phone.app.id))
        fixture.pad = Principal(app: app, device: fixture.pad.device)
        fixture.phone = Principal(app: app, device: fixture.phone.device)
        fixture.other = Principal(app: app, device: fixture.other.device)
        let neighbors = (0..<20).map { number in
            Item("n\(number)", aliases: (0..<Limits.aliases).map { "n\(number).\($0)" }, position: Int64(number + 1))
        }
        func register(_ items: [Item], in list: String, on principal: Principal) async throws {
            _ = try await fixture.service.lists.apply(ItemDelta(upserts: items), to: list, for: principal)
        }
        for list in lists {
            try await register(["o1", "o2"].map { Item($0, aliases: ["kind:x"]) }, in: list, on: fixture.other)
        }
        try await register([Item("p1", aliases: ["a"], position: 0)] + neighbors, in: lists[0], on: fixture.phone)
        if !isPending { try await register([Item("q1", aliases: ["a"])], in: lists[0], on: fixture.pad) }
        let removal = ItemDelta(removals: ["q1"])
        _ = try await fixture.service.lists.apply(removal, to: lists[0], for: fixture.pad)
        let near = Item("near", aliases: [neighbors[15].aliases[0]])
        try await register([near], in: lists[0], on: fixture.pad)
        try await register([Item("q2", aliases: ["b"])], in: lists[1], on: fixture.pad)
        let more = (0..<10).map { number in (0..<20).map { "c\(number).\($0)" } }
        let references =
            [ModelReference(dataSource: lists[0], element: .init("p1"), role: .firstVisible)]
            + ([["b"]] + more).map { aliases in
                ModelReference(dataSource: lists[1], element: .init(nil, aliases: aliases), role: .selected)
            }
        _ = try await fixture.upload(references, by: fixture.phone)
        let archives = try await fixture.fixture.store.history(
            of: SceneKey(owner: fixture.phone.owner, name: "main"), below: nil, limit: 1
        ).archives
        let resolutions = try await ReferenceResolver(
            environment: fixture.service.identityEnvironment, archive: try #require(archives.first),
            principal: fixture.pad, within: budget
        ).resolve(references).resolutions
        return (resolutions[0], resolutions[1])
    }

    /// The evidence of neighbors belongs to the searches, and takes nothing from the reserve.
    @Test func findsItemsDirectlyAfterSearchForNeighbors() async throws {
        let budget = WorkBudget(2 * Limits.neighbors + 40 + 256, evidenceReserve: 256)
        let (neighbor, direct) = try await serve(within: budget)
        #expect(neighbor?.step == .unresolved)
        #expect(direct?.identifier == "q2")
        #expect(try await serve(within: WorkBudget()).neighbor?.identifier == "near")
    }

    /// A search by registered positions takes as many lookups from the budget as it may read items.
    @Test func searchesNoNeighborWhenBudgetIsSpent() async throws {
        let tooFew = WorkBudget(2 * Limits.neighbors + 256, evidenceReserve: 256)
        #expect(try await serve(within: tooFew).neighbor?.limitedBy == .neighbors)
        let pending = try await serve(within: tooFew, isPending: true).neighbor
        #expect(pending?.step == .pending && pending?.limitedBy == .neighbors)
        let enough = WorkBudget(2 * Limits.neighbors + 40 + 256, evidenceReserve: 256)
        #expect(try await serve(within: enough).neighbor?.limitedBy == nil)
        #expect(try await serve(within: WorkBudget(), isPending: true).neighbor?.neighbor == "near")
    }
}
