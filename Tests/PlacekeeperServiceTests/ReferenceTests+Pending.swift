import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// Neighbors of first visible items that the requesting device does not have yet.
extension ReferenceTests {
    @Test func standAtNeighborInArchiveWhilePending() async throws {
        let fixture = try await IdentityFixture(DataSource(scope: .registered, selectsNeighbors: true))
        for (name, alias) in [("p1", "a"), ("p2", "b"), ("p3", "c")] {
            try await fixture.register(Item(name, aliases: [alias]), on: fixture.phone)
        }
        for (name, alias) in [("q1", "a"), ("q3", "c")] {
            try await fixture.register(Item(name, aliases: [alias]), on: fixture.pad)
        }
        let roles = [ModelReference.Role.firstVisible, .selected, .other]
        _ = try await fixture.upload(
            roles.map { .to("p2", aliases: ["b"], role: $0, before: ["p1"], after: ["p3"]) }, by: fixture.phone)
        let served = try #require(try await fixture.latest(for: fixture.pad).served)
        #expect(served.references == [.pending: 3])
        var references = try await fixture.references(for: fixture.pad)
        #expect(references.map(\.element) == Array(repeating: .init(nil, aliases: ["b"]), count: 3))
        let stays = ModelReference.Resolution(step: .pending, confidence: 0)
        #expect(references.map(\.resolution) == [.init(step: .pending, confidence: 0, neighbor: "q3"), stays, stays])
        try await fixture.register(Item("q2", aliases: ["b"]), on: fixture.pad)
        references = try await fixture.references(for: fixture.pad)
        #expect(references.map(\.element.identifier) == ["q2", "q2", "q2"])
        #expect(references.allSatisfy { $0.resolution == .init(step: .alias, confidence: 0.997) })
    }

    @Test func standAtNearestPositionOnSourceDeviceWhilePending() async throws {
        let fixture = try await IdentityFixture()
        let items = ["z", "a", "b", "c", "d"].enumerated().map { place, alias in
            Item("p\(place)", aliases: [alias], position: Int64(place))
        }
        _ = try await fixture.service.lists.apply(
            ItemDelta(upserts: items), to: IdentityFixture.list, for: fixture.phone)
        try await fixture.register(Item("q0", aliases: ["z"]), on: fixture.pad)
        _ = try await fixture.upload(
            [.to("p2", role: .firstVisible, before: ["p1"], after: ["p3"])], by: fixture.phone)
        func neighbor() async throws -> String? {
            let resolution = try await fixture.references(for: fixture.pad)[0].resolution
            #expect(resolution?.step == .pending)
            return resolution?.neighbor
        }
        #expect(try await neighbor() == "q0")
        try await fixture.register(Item("q4", aliases: ["d"]), on: fixture.pad)
        #expect(try await neighbor() == "q4")
        try await fixture.register(Item("q1", aliases: ["a"]), on: fixture.pad)
        #expect(try await neighbor() == "q1", "a neighbor that the archive names comes first")
        try await fixture.register(removals: ["q0", "q1", "q4"], on: fixture.pad)
        #expect(try await neighbor() == nil)
    }

    /// Two items of the pad match the phone's p3, so p3 is no certain neighbor. A removed item still takes it.
    @Test func standAtNoAmbiguousNeighborWhilePending() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(
            Item("p1", aliases: ["a"], position: 1), Item("p2", aliases: ["b"], position: 2),
            Item("p3", aliases: ["c", "d"], position: 3), on: fixture.phone)
        try await fixture.register(
            Item("q1", aliases: ["a"]), Item("qc", aliases: ["c"]), Item("qd", aliases: ["d"]),
            Item("gone", aliases: ["r"]), on: fixture.pad)
        try await fixture.register(removals: ["gone"], on: fixture.pad)
        _ = try await fixture.upload(
            [
                .to("p2", role: .firstVisible, before: ["p1"], after: ["p3"]), .to("p2", role: .firstVisible),
                .to("p2", aliases: ["r"], role: .firstVisible, before: ["p1"], after: ["p3"]),
                .to("p2", aliases: ["r"], role: .firstVisible), .to("p2", role: .firstVisible, after: ["p3"]),
            ], by: fixture.phone)
        let references = try await fixture.references(for: fixture.pad)
        let steps: [Step] = [.pending, .pending, .neighbor, .neighbor, .pending]
        #expect(references.map(\.resolution?.step) == steps)
        #expect(references.map(\.resolution?.neighbor) == ["q1", "q1", nil, nil, "q1"])
        #expect(references.map(\.element.identifier) == [nil, nil, "qd", "qd", nil])
    }

    /// The item after the new item is found by alignment alone, so it is no certain neighbor.
    @Test(arguments: [true, false])
    func standAtNoNeighborFoundByAlignmentWhilePending(_ isInArchive: Bool) async throws {
        let fixture = try await IdentityFixture()
        let names = ["1", "2", "3", "new", "plain", "4", "5", "6"]
        for (principal, prefix) in [(fixture.phone, "p"), (fixture.pad, "q")] {
            let items = names.enumerated().filter { prefix == "p" || $1 != "new" }.map { place, name in
                Item(prefix + name, aliases: name == "plain" ? [] : [name], position: Int64(place))
            }
            try await fixture.register(items, on: principal)
        }
        let list = names.map { "p" + $0 }
        let references = [3, 4].map { place in
            ModelReference.to(
                list[place], role: .firstVisible, before: isInArchive ? list[..<place].reversed() : [],
                after: isInArchive ? Array(list[(place + 1)...]) : [])
        }
        _ = try await fixture.upload(references, by: fixture.phone)
        let served = try await fixture.references(for: fixture.pad)
        #expect(served.map(\.resolution?.step) == [.pending, .alignment])
        #expect(served[0].resolution?.neighbor == "q3")
        #expect(served[1].element.identifier == "qplain")
    }

    /// A device that saves its state while an item is pending saves the reference without an identifier.
    @Test func standAtRegisteredNeighborOnTheirOwnDevice() async throws {
        let fixture = try await IdentityFixture()
        _ = try await fixture.upload(
            [.to(nil, aliases: ["a"], role: .firstVisible, after: ["p1", "p2"])], by: fixture.phone)
        func served() async throws -> ModelReference { try await fixture.references(for: fixture.phone)[0] }
        #expect(try await served().resolution == .init(step: .pending, confidence: 0))
        try await fixture.register(Item("p2"), on: fixture.phone)
        #expect(try await served().resolution == .init(step: .pending, confidence: 0, neighbor: "p2"))
    }

    /// Pending items and removed items share the limit of searches by position.
    @Test func limitPendingItemsWhosePositionsAreSearchedForNeighbors() async throws {
        let store = FaultyStore()
        let fixture = try await IdentityFixture(store: store.intercepted)
        let count = Limits.neighborSearches + 2
        let items = (0..<count).map { Item("p\($0)", aliases: ["a\($0)"], position: Int64($0)) }
        let last = Item("last", aliases: ["last"], position: -1)
        _ = try await fixture.service.lists.apply(
            ItemDelta(upserts: items + [last]), to: IdentityFixture.list, for: fixture.phone)
        try await fixture.register(Item("q", aliases: ["last"]), Item("q0", aliases: ["a0"]), on: fixture.pad)
        try await fixture.register(removals: ["q0"], on: fixture.pad)
        _ = try await fixture.upload(
            items.flatMap { Array(repeating: .to($0.identifier, role: .firstVisible), count: 2) }, by: fixture.phone)
        let served = try #require(try await fixture.latest(for: fixture.pad).served)
        #expect(served.references == [.neighbor: 2, .pending: 2 * (count - 1)])
        let neighbors = try await fixture.references(for: fixture.pad).map(\.resolution?.neighbor)
        #expect(neighbors[..<2] == [nil, nil])
        #expect(neighbors[2..<2 * Limits.neighborSearches].allSatisfy { $0 == "q" })
        #expect(neighbors[(2 * Limits.neighborSearches)...].allSatisfy { $0 == nil })
    }

    @Test func growByNoMoreThanTheLimitWithNeighbors() async throws {
        let fixture = try await IdentityFixture()
        let long = String(repeating: "q", count: Limits.identifier)
        try await fixture.register(
            Item("p1", aliases: ["a"], position: 1), Item("p2", aliases: ["b"], position: 2), on: fixture.phone)
        try await fixture.register(Item(long, aliases: ["b"]), on: fixture.pad)
        // Without the neighbor, a reference takes 352 bytes. With the neighbor, it takes 896 bytes.
        let count = Limits.rewritten / 700
        _ = try await fixture.upload(
            Array(repeating: .to("p1", role: .firstVisible), count: count), by: fixture.phone)
        let served = try #require(try await fixture.latest(for: fixture.pad).served)
        let fits = Limits.rewritten / 896
        #expect(served.references == [.pending: fits, .unresolved: count - fits])
    }
}
