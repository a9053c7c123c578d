import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import Testing

/// What the items near a reference's item prove about an item with a weak alias, and what they don't prove.
extension AlignmentTests {
    /// The neighbors that an archive names beside `song`.
    private static let before = (1...8).map { "n-\($0)" }
    private static let after = (1...8).map { "n\($0)" }

    /// The phone's archive names `song` and its neighbors, 8 on each side or fewer. On the pad the neighbors are together at rows 491 to 508, and
    /// some items are at other rows. Other rows have keys of their own, and the last two rows have one key.
    private static func served(
        rows: [String: Int], hasPositions: Bool = true, names: Int = 8,
        _ source: DataSource = DataSource(scope: .registered)
    ) async throws -> ModelReference {
        let fixture = try await IdentityFixture(source)
        var keys = (0..<511).map { "f\($0)" }
        for (index, name) in before.enumerated() where rows[name] == nil { keys[499 - index] = name }
        for (index, name) in after.enumerated() where rows[name] == nil { keys[501 + index] = name }
        for (name, row) in rows { keys[row] = name }
        keys[509...510] = ["twice", "twice"]
        try await fixture.register(
            keys.enumerated().map { row, key in
                Item("row \(row)", aliases: ["key:\(key)"], position: hasPositions ? 1000 * Int64(row + 1) : nil)
            }, on: fixture.pad)
        func element(_ name: String) -> Element { Element("p \(name)", aliases: ["key:\(name)"]) }
        var reference = ModelReference(dataSource: IdentityFixture.list, element: element("song"), role: .selected)
        reference.before = before.prefix(names).map(element)
        reference.after = after.prefix(names).map(element)
        _ = try await fixture.upload([reference], by: fixture.phone)
        return try await fixture.references(for: fixture.pad)[0]
    }

    /// One neighbor beside the item is far away, together with the item that has the alias.
    @Test(arguments: ["n-1", "n1", "n-2", "n8"])
    func believesNoSingleNeighborAgainstTheRest(_ name: String) async throws {
        let far = name.hasPrefix("n-") ? 250 : 370
        for row in [380, far - 1, far + 1] {
            let served = try await Self.served(rows: [name: far, "song": row])
            #expect(served.element == Element(nil, sharedAliases: ["key:song"]))
            #expect(served.resolution?.step == .pending)
        }
    }

    /// Seven of 16 neighbors are elsewhere, each on its own or all of them around the item with the alias.
    @Test(arguments: [[20, 60, 100, 140, 180, 220, 260], [377, 378, 379, 381, 382, 383, 384]])
    func believesMostNeighborsAgainstTheRest(_ far: [Int]) async throws {
        let names = (Self.before.prefix(4).reversed() + Self.after.prefix(3))
        let rows = Dictionary(uniqueKeysWithValues: zip(names, far))
        #expect(try await Self.served(rows: rows.merging(["song": 380]) { $1 }).resolution?.step == .pending)
        let served = try await Self.served(rows: rows.merging(["song": 500]) { $1 })
        #expect(served.element.identifier == "row 500")
        #expect(served.resolution?.step == .alias)
    }

    /// One of few neighbors is elsewhere, so they show no other order.
    @Test(arguments: [(1, 250), (2, 250), (2, 480)])
    func believesNoAliasAgainstAFewNeighbors(_ names: Int, _ far: Int) async throws {
        let served = try await Self.served(rows: ["n-1": far, "song": 380], names: names)
        #expect(served.resolution?.step == .pending)
    }

    /// A false image of the nearest neighbor takes nothing from the others' support.
    @Test func findsAnItemDespiteAFalseNeighbor() async throws {
        let served = try await Self.served(rows: ["n-1": 250, "song": 500])
        #expect(served.element.identifier == "row 500")
        #expect(served.resolution?.step == .alias)
        #expect(served.resolution?.confidence == 0.997)
    }

    /// Without positions, nothing tells whether the neighbors are near the item.
    @Test func takesNoItemByAWeakAliasWithoutPositions() async throws {
        let served = try await Self.served(rows: ["song": 500], hasPositions: false)
        #expect(served.element == Element(nil, sharedAliases: ["key:song"]))
        #expect(served.resolution?.step == .pending)
        let unique = DataSource(scope: .registered, uniqueAliases: ["key"])
        let taken = try await Self.served(rows: ["song": 500], hasPositions: false, unique)
        #expect(taken.element.identifier == "row 500")
    }

    /// Each neighbor is at a place of its own, so places prove nothing, and the alias decides.
    @Test func takesAnItemByAWeakAliasInAListOfAnotherOrder() async throws {
        let names = Self.before.reversed() + Self.after
        let rows = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0 * 7 % 16 * 30) })
        let served = try await Self.served(rows: rows.merging(["song": 229]) { $1 })
        #expect(served.element.identifier == "row 229")
        #expect(served.resolution?.step == .alias)
    }
}
