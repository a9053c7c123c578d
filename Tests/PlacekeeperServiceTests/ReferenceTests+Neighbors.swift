import PlacekeeperArchive
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import Testing

/// References to removed items.
extension ReferenceTests {
    @Test func fallBackToNearestNeighborInArchive() async throws {
        let fixture = try await IdentityFixture()
        for (name, alias) in [("p1", "a"), ("p2", "b"), ("p3", "c")] {
            try await fixture.register(Item(name, aliases: [alias]), on: fixture.phone)
            try await fixture.register(Item("q" + name, aliases: [alias]), on: fixture.pad)
        }
        try await fixture.register(removals: ["qp2"], on: fixture.pad)
        _ = try await fixture.upload(
            [
                .to("p2", role: .firstVisible, before: ["p1"], after: ["p3"]),
                .to("p2", role: .selected, before: ["p1"], after: ["p3"]),
            ], by: fixture.phone)
        let references = try await fixture.references(for: fixture.pad)
        #expect(references[0].element.identifier == "qp3")
        #expect(references[0].resolution?.step == .neighbor)
        #expect(references[0].before.map(\.identifier) == ["qp1"])
        #expect(references[1].element.identifier == nil)
        #expect(references[1].resolution?.step == .unresolved)
    }

    @Test func selectNeighborOnlyIfDataSourceAllowsIt() async throws {
        let fixture = try await IdentityFixture(DataSource(scope: .registered, selectsNeighbors: true))
        try await fixture.register(Item("p1", aliases: ["a"]), Item("p2", aliases: ["b"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), Item("q2", aliases: ["b"]), on: fixture.pad)
        try await fixture.register(removals: ["q2"], on: fixture.pad)
        _ = try await fixture.upload([.to("p2", before: ["p1"])], by: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "q1")
    }

    @Test func fallBackToNearestPositionOnRequestingDevice() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p2", aliases: ["b"]), on: fixture.phone)
        try await fixture.register(
            Item("q1", aliases: ["a"], position: 10), Item("q2", aliases: ["b"], position: 20),
            Item("q3", aliases: ["c"], position: 40), on: fixture.pad)
        try await fixture.register(removals: ["q2"], on: fixture.pad)
        _ = try await fixture.upload([.to("p2", role: .firstVisible)], by: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "q3")
    }

    /// A device that removes an item may renumber its items, so another item then has the removed item's position.
    @Test func fallBackToItemNowAtSamePosition() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p2", aliases: ["b"]), on: fixture.phone)
        let names = ["q1", "q2", "q3", "q4"]
        let items = zip(names, ["a", "b", "c", "d"]).enumerated().map { position, item in
            Item(item.0, aliases: [item.1], position: Int64(position))
        }
        for item in items { try await fixture.register(item, on: fixture.pad) }
        try await fixture.register(
            Item("q3", aliases: ["c"], position: 1), Item("q4", aliases: ["d"], position: 2), removals: ["q2"],
            on: fixture.pad)
        _ = try await fixture.upload([.to("p2", role: .firstVisible)], by: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "q3")
        try await fixture.register(removals: ["q1", "q3", "q4"], on: fixture.pad)
        try await fixture.register(Item("q4", aliases: ["d"], position: 1), on: fixture.pad)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "q4")
    }

    @Test func fallBackToNearestPositionOnSourceDevice() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(
            Item("p0", aliases: ["z"], position: 0), Item("p1", aliases: ["a"], position: 1),
            Item("p2", aliases: ["b"], position: 2), Item("p3", aliases: ["c"], position: 3), on: fixture.phone)
        try await fixture.register(Item("q0", aliases: ["z"]), Item("q2", aliases: ["b"]), on: fixture.pad)
        try await fixture.register(removals: ["q2"], on: fixture.pad)
        _ = try await fixture.upload([.to("p2", role: .firstVisible)], by: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "q0")
    }

    /// By position, the present item in a place counts, even if its identifier named another item at the capture.
    @Test(arguments: [true, false])
    func fallBackToAnItemWithAReusedIdentifierOnSourceDevice(_ isPending: Bool) async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(
            Item("p1", aliases: ["a"], position: 1), Item("p2", aliases: ["b"], position: 2),
            Item("p3", aliases: ["c"], position: 3), on: fixture.phone)
        try await fixture.register(
            Item("q1", aliases: ["a"]), Item("q2", aliases: ["b"]), Item("q4", aliases: ["d"]), on: fixture.pad)
        if isPending {
            try await fixture.register(Item("p2", aliases: ["e"], position: 2), on: fixture.phone)
        } else {
            try await fixture.register(removals: ["q2"], on: fixture.pad)
        }
        _ = try await fixture.upload([.to("p2", role: .firstVisible)], by: fixture.phone)
        try await fixture.register(removals: ["p3"], on: fixture.phone)
        try await fixture.register(Item("p3", aliases: ["d"], position: 3), on: fixture.phone)
        let served = try await fixture.references(for: fixture.pad)[0]
        #expect(served.resolution?.step == (isPending ? .pending : .neighbor))
        #expect((isPending ? served.resolution?.neighbor : served.element.identifier) == "q4")
    }

    /// The nearest neighbor is the next item in the list's order, alternately after and before the removed item. The
    /// distance between the positions' numbers does not count. Both the neighbors in the archive and the neighbors by
    /// registered position are in this order.
    @Test(arguments: [true, false])
    func takeNextItemInListOrderAlternatingAfterAndBefore(_ isInArchive: Bool) async throws {
        let fixture = try await IdentityFixture()
        let list: [(name: String, position: Int64)] = [
            ("b3", 17), ("b2", 18), ("b1", 19), ("gone", 20), ("a1", 1000), ("a2", 2000),
        ]
        for (name, position) in list {
            let place = isInArchive ? nil : position
            try await fixture.register(Item(name, aliases: ["of " + name], position: place), on: fixture.phone)
            try await fixture.register(Item("q" + name, aliases: ["of " + name]), on: fixture.pad)
        }
        let (before, after) = isInArchive ? (["b1", "b2", "b3"], ["a1", "a2"]) : ([], [])
        let reference = ModelReference.to("gone", role: .firstVisible, before: before, after: after)
        _ = try await fixture.upload([reference], by: fixture.phone)
        var taken = "qgone"
        for next in ["qa1", "qb1", "qa2", "qb2", "qb3"] {
            try await fixture.register(removals: [taken], on: fixture.pad)
            let served = try await fixture.references(for: fixture.pad)[0]
            #expect(served.element.identifier == next)
            #expect(served.resolution?.step == .neighbor)
            taken = next
        }
    }

    /// An interface shows few lists, so the service searches by position for only a limited number of items of an
    /// archive. Several references to one item need only one search.
    @Test func limitItemsWhosePositionsAreSearchedForNeighbors() async throws {
        let store = FaultyStore()
        var fixture = try await IdentityFixture(store: store.intercepted)
        let lists = ["albums", IdentityFixture.list]
        _ = try await fixture.service.lists.declare(DataSource(scope: .registered), named: lists[0], for: fixture.phone)
        let app = try await fixture.service.apps.app(.id(fixture.phone.app.id))
        fixture.pad = Principal(app: app, device: fixture.pad.device)
        fixture.phone = Principal(app: app, device: fixture.phone.device)
        let items = (0..<Limits.neighborSearches / 2 + 3).map { number in
            Item("p\(number)", aliases: ["a\(number)"], position: Int64(number))
        }
        var references: [ModelReference] = []
        for list in lists {
            _ = try await fixture.service.lists.apply(ItemDelta(upserts: items), to: list, for: fixture.phone)
            let left = Item("r", aliases: ["r"], position: 1000)
            _ = try await fixture.service.lists.apply(ItemDelta(upserts: items + [left]), to: list, for: fixture.pad)
            _ = try await fixture.service.lists.apply(
                ItemDelta(removals: items.map(\.identifier)), to: list, for: fixture.pad)
            references += (items + items).map { item in
                ModelReference(dataSource: list, element: .init(item.identifier), role: .firstVisible)
            }
        }
        _ = try await fixture.upload(references, by: fixture.phone)
        let served = try #require(try await fixture.latest(for: fixture.pad).served)
        #expect(served.references == [.neighbor: 2 * Limits.neighborSearches, .unresolved: 12])
        // Each search calls the store once for each side of the item.
        #expect(store.asked("items(next:behind:in:limit:)").count == 2 * Limits.neighborSearches)
    }

    /// An alias of two items in the archive is ambiguous, so it is not evidence for the neighbor of a third item.
    @Test func findNoNeighborByAmbiguousAliasOfArchive() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(
            Item("n1", aliases: ["b"], position: 1), Item("gone", aliases: ["g"], position: 2),
            Item("n3", aliases: ["x"], position: 3), on: fixture.phone)
        try await fixture.register(
            Item("q1", aliases: ["b"]), Item("q2", aliases: ["g"]), Item("q3", aliases: ["x"]), on: fixture.pad)
        try await fixture.register(removals: ["q2"], on: fixture.pad)
        let gone = ModelReference.to("gone", role: .firstVisible)
        _ = try await fixture.upload([gone], by: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "q3")
        let sharing = ["s1", "s2"].map { ModelReference.to($0, aliases: ["x"]) }
        _ = try await fixture.upload([gone] + sharing, by: fixture.phone, number: 2)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "q1")
    }
}
