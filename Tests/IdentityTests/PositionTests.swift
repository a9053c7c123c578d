import PlacekeeperArchive
import PlacekeeperSampleApps
import PlacekeeperStoreConformance
import Testing

import PlacekeeperStandIns
@testable import PlacekeeperModels
@testable import PlacekeeperRuntime

/// Tests a list that changes at random. A device registers each change of the list as a delta. For a removed item, the
/// service must find an expected neighbor: see `nearest(to:)`.
@MainActor
struct PositionTests {
    @Test(arguments: 0..<8)
    func findsNearestRemainingNeighborOfARemovedItem(_ seed: Int) async throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let cloud = try await Cloud()
        let (source, target) = (try await cloud.join(.tabs), try await cloud.join(.tabs))
        let list = ChangingList(count: 20)
        var told = list.registeredElements()
        try await cloud.register(told, of: target)
        for _ in 0..<6 {
            let removed = list.change(&random)
            let elements = list.registeredElements(after: told)
            let difference = Set(elements).subtracting(told)
            try await cloud.register(Array(difference), removing: removed, of: target)
            told = elements
        }
        // The source device registers the removed items. The references have no neighbors, so the service can find
        // neighbors only by the positions on the requesting device.
        let gone = list.gone.prefix(60)
        try await cloud.register(gone.map { .init("p\($0)", aliases: ["id:\($0)"], position: 0) }, of: source)
        let archive = StateArchive(
            bundleVersion: "1", idiom: 0,
            references: gone.map { .init(dataSource: "items", element: .init("p\($0)"), role: .firstVisible) })
        let served = try #require(try await cloud.serve(try archive.encoded(), from: source, to: target))
        for (number, reference) in zip(gone, try StateArchive(reading: served).references) {
            #expect(reference.resolution?.step == .neighbor)
            let found = reference.element.identifier
            #expect(list.nearest(to: number).contains { "q\($0)" == found }, "q\(number): \(found ?? "none")")
        }
    }

    /// After an insertion, a removal or a move, the positions of all other items stay the same, so the device does not
    /// register these items again.
    @Test func keepsPositionsOfItemsThatStayInOrder() {
        let list = ChangingList(count: 1000)
        let first = list.registeredElements()
        #expect(first.map(\.position) == (0..<1000).map { $0 * ListPositions.step })
        list.entries.remove(at: 500)
        list.entries.insert(list.entries.removeLast(), at: 0)
        list.entries.insert(.init(number: 5000), at: 200)
        let second = list.registeredElements(after: first)
        #expect(zip(second, second.dropFirst()).allSatisfy { $0.position < $1.position })
        #expect(Set(second).subtracting(first).map(\.identifier).sorted() == ["q5000", "q999"])
    }

    /// A position may be negative: an item that is inserted before the first item can get a negative position.
    @Test func keepsPositionsOfItemsBeforeTheFirst() {
        let list = ChangingList(count: 2)
        let first = list.registeredElements()
        list.entries.insert(.init(number: 5), at: 0)
        let second = list.registeredElements(after: first)
        #expect(second.map(\.position) == [-1, 0, 1].map { $0 * ListPositions.step })
        list.entries.insert(.init(number: 6), at: 1)
        list.entries.append(.init(number: 7))
        let third = list.registeredElements(after: second)
        #expect(third.map(\.position) == [-2, -1, 0, 2, 4].map { $0 * ListPositions.step / 2 })
    }

    @Test func movesNoNeighborWhileOneNumberIsLeft() {
        let list = ChangingList(count: 2)
        var told = list.registeredElements()
        told[1].position = 2
        list.entries.insert(.init(number: 5), at: 1)
        let elements = list.registeredElements(after: told)
        #expect(elements.map(\.position) == [0, 1, 2])
        list.entries.insert(.init(number: 6), at: 1)
        let moved = list.registeredElements(after: elements)
        #expect(zip(moved, moved.dropFirst()).allSatisfy { $0.position < $1.position })
    }

    /// Items are inserted again and again at the same index of the list.
    @Test(arguments: [0, 1, 100, 200]) func repeatedInsertionsMoveOnlyItemsNearby(_ place: Int) {
        let list = ChangingList(count: 200)
        var told = list.registeredElements()
        var count = 0
        for number in 200..<400 {
            list.entries.insert(.init(number: number), at: place)
            let elements = list.registeredElements(after: told)
            #expect(zip(elements, elements.dropFirst()).allSatisfy { $0.position < $1.position })
            count += Set(elements).subtracting(told).count
            told = elements
        }
        #expect(count < 200 * 4)
    }
}

/// A list that keeps its removed entries in order, so that a test can compute the expected neighbors.
@MainActor
private final class ChangingList: DataSourceModelAssociation {
    struct Entry {
        let number: Int
        /// The numbers of the changes that inserted and removed the entry.
        var came = 0
        var went: Int?
    }

    let dataSourceName = "items"
    var entries: [Entry] { didSet { live = entries.filter { $0.went == nil } } }
    private var live: [Entry]
    private var changes = 0

    init(count: Int) {
        entries = (0..<count).map { Entry(number: $0) }
        live = entries
    }

    var gone: [Int] { entries.filter { $0.went != nil }.map(\.number) }

    /// Removes and inserts items at random.
    /// - Returns: The identifiers of the removed items.
    func change(_ random: inout SeededNumbers) -> [String] {
        changes += 1
        var removed: [String] = []
        for index in entries.indices where entries[index].went == nil && random.below(4) == 0 && live.count > 2 {
            entries[index].went = changes
            removed.append("q\(entries[index].number)")
        }
        for _ in 0..<random.below(6) {
            entries.insert(.init(number: entries.count, came: changes), at: random.below(entries.count + 1))
        }
        return removed
    }

    /// Returns the acceptable neighbors of a removed item. Of the items that existed at the removal and still exist,
    /// only the next item is acceptable, or the previous item if there is no next item. All items that were inserted
    /// since then between the previous and the next item are also acceptable.
    func nearest(to number: Int) -> [Int] {
        guard let place = entries.firstIndex(where: { $0.number == number }), let went = entries[place].went else {
            return []
        }
        func isOld(_ entry: Entry) -> Bool { entry.went == nil && entry.came < went }
        let after = entries[place...].firstIndex(where: isOld)
        let before = entries[..<place].lastIndex(where: isOld)
        let between = entries[(before ?? -1) + 1..<(after ?? entries.count)].filter { $0.went == nil }
        let old = [after ?? before].compactMap { $0.map { entries[$0] } }
        return (between + old).map(\.number)
    }

    func elementCounts(in view: (any ElementView)?) -> [Int] { [live.count] }
    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        indexPath.map { "q\(live[$0.item].number)" }
    }
    func indexPathForElement(
        withModelIdentifier identifier: String?, in view: (any ElementView)?
    ) -> ElementIndexPath? {
        live.firstIndex { "q\($0.number)" == identifier }.map { .init(item: $0) }
    }
    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] { ["id:\(identifier.dropFirst())"] }
}
