import PlacekeeperArchive
import PlacekeeperSampleApps
import PlacekeeperStandIns
import PlacekeeperRuntime
import PlacekeeperStoreConformance
import Testing

/// Tests pairs of random lists. An identifier of one device usually means another item on the other device.
@MainActor
struct ChanceTests {
    @Test(arguments: 0..<10)
    func neverRestoresAWrongItem(_ block: Int) async throws {
        for seed in block * 50..<block * 50 + 50 {
            var world = World(seed: UInt64(seed))
            let differences = try await world.play()
            #expect(differences == [], "seed \(seed)")
        }
    }
}

@MainActor
private struct World {
    private var random: SeededNumbers
    private let sources: (here: Shelf, there: Shelf)
    private let willing = Willing()

    init(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let count = random.below(30) + 12
        let evidence = (0..<count).map { number -> [String] in
            [["id:\(number)"], ["hash:\(number)", "id:\(number)"], ["id:\(number)"], []][random.below(4)]
        }
        func shelf(_ names: [Int], _ migrated: Migrated) -> Shelf {
            let kept = (0..<count).filter { _ in random.below(4) > 0 }
            return Shelf(
                kept.shuffled(using: &random).enumerated().map { row, number in
                    let defaults = migrated.contains(row) ? ["default"] : []
                    return .init(number: number, name: "p\(names[number])", aliases: defaults + evidence[number])
                })
        }
        let migrated = Migrated.pairs[random.below(Migrated.pairs.count)]
        let names = (0..<count).shuffled(using: &random)
        sources = (shelf(Array(0..<count), migrated.here), shelf(names, migrated.there))
        self.random = random
    }

    /// The rows of a device's list to which a migration gave the same alias.
    private enum Migrated {
        case none, one, oneOfThree, twoOfThree, all

        /// The tested pairs. The pair of `one` and `one` is left out: each device would have the alias only once, so
        /// nothing would show that the alias is ambiguous.
        static let pairs: [(here: Self, there: Self)] = [
            (.none, .none), (.none, .all), (.one, .none), (.one, .all), (.twoOfThree, .one), (.all, .oneOfThree),
            (.twoOfThree, .twoOfThree), (.all, .all),
        ]

        func contains(_ row: Int) -> Bool {
            switch self {
            case .none: false
            case .one: row == 5
            case .oneOfThree: row % 3 == 0
            case .twoOfThree: row % 3 > 0
            case .all: true
            }
        }
    }

    /// Saves on one device and restores on the other.
    /// - Returns: The differences from the expected result.
    mutating func play() async throws -> [String] {
        let cloud = try await Cloud()
        let (source, target) = (try await cloud.join(.tabs), try await cloud.join(.tabs))
        for (member, shelf) in [(source, sources.here), (target, sources.there)] where random.below(2) == 0 {
            try await cloud.register(shelf.registeredElements(), of: member)
            if member.token == target.token { try await remove(random.below(3), from: shelf, of: member, in: cloud) }
        }
        let (here, there) = (TableView(), TableView())
        here.dataSource = sources.here
        here.visibleHeight = Double(1 + random.below(4)) * here.rowHeight
        let rows = sources.here.rows.indices
        here.scroll(to: Double(rows.randomElement(using: &random) ?? 0) * here.rowHeight + 5)
        here.listSelection = Set((0..<3).map { _ in random.below(rows.count) }).sorted().map { .init(item: $0) }

        let bytes = try #require(try await cloud.serve(try save(here), from: source, to: target))
        let isLate = random.below(2) == 0
        let rowsThere = sources.there.rows
        if isLate { sources.there.rows = [] }
        there.dataSource = sources.there
        try restore(bytes, there)
        if isLate {
            sources.there.rows = rowsThere
            there.reloadData()
        }
        return differences(here, there, try StateArchive(reading: bytes))
    }

    private mutating func remove(
        _ count: Int, from shelf: Shelf, of member: Cloud.Member, in cloud: Cloud
    ) async throws {
        for _ in 0..<count {
            let gone = shelf.rows.remove(at: random.below(shelf.rows.count))
            try await cloud.register([], removing: [gone.name], of: member)
        }
    }

    private func differences(_ here: TableView, _ there: TableView, _ archive: StateArchive) -> [String] {
        var differences: [String] = []
        func check<Value: Equatable>(_ value: Value, _ expected: Value, _ subject: String) {
            if value != expected { differences.append("\(subject): \(value), expected \(expected)") }
        }
        let selected = here.listSelection.map { sources.here.rows[$0.item].number }
        // Alignment may find further items, but never another item.
        let found = Set(there.listSelection.map { sources.there.rows[$0.item].number })
        check(found.intersection(selected), found, "selected")
        check(found.intersection(selected.filter(canBeFound)), Set(selected.filter(canBeFound)), "selected by alias")

        guard let top = here.listAnchor?.indexPath.item else { return differences }
        if let visible = here.listVisible.first(where: { canBeFound(sources.here.rows[$0.indexPath.item].number) }) {
            let number = sources.here.rows[visible.indexPath.item].number
            let seen = there.listVisible.first { sources.there.rows[$0.indexPath.item].number == number }
            // A list cannot scroll above its first row.
            let highest = -Double(seen?.indexPath.item ?? 0) * there.rowHeight
            check(seen?.offset, max(highest, visible.offset), "offset of \(number)")
            return differences
        }
        let seen = there.listAnchor.map { sources.there.rows[$0.indexPath.item].number }
        // Alignment may find the first visible item itself.
        if let seen, here.listVisible.contains(where: { sources.here.rows[$0.indexPath.item].number == seen }) {
            return differences
        }
        check(there.listAnchor?.offset, 0, "offset")
        let nearest = (1...8).lazy.flatMap { [top + $0, top - $0] }
            .filter { sources.here.rows.indices.contains($0) }.map { sources.here.rows[$0].number }.first(
                where: canBeFound)
        if let nearest {
            check(seen, nearest, "neighbor")
        } else if !archive.references.contains(where: { $0.resolution?.step == .neighbor }) {
            check(there.contentOffset, 0, "at the top")
        }
        return differences
    }

    /// Returns whether the other device has the item, and the item has its own alias there.
    private func canBeFound(_ number: Int) -> Bool {
        sources.there.rows.contains { $0.number == number && $0.aliases.contains("id:\(number)") }
    }

    private func save(_ list: TableView) throws -> [UInt8] {
        let (environment, screen) = scene(list)
        let archive = try StatePreserver(environment, roots: { [screen] }, device: device, timestamp: 0).preserve()
        return try #require(archive).encoded()
    }

    private func restore(_ bytes: [UInt8], _ list: TableView) throws {
        let (environment, screen) = scene(list)
        _ = StateRestorer(environment, roots: { [screen] }).restore(try StateArchive(reading: bytes))
    }

    private func scene(_ list: TableView) -> (RestorationEnvironment, ViewController) {
        let screen = ViewController()
        screen.restorationIdentifier = "Screen"
        list.restorationIdentifier = "List"
        screen.views = [list]
        let environment = RestorationEnvironment()
        environment.delegate = willing
        return (environment, screen)
    }

    private var device: RestorationContext {
        RestorationContext(idiom: .phone, bundleVersion: "5", systemVersion: "17.4", layout: .compact)
    }
}

/// A delegate that saves and restores the state of its app.
private final class Willing: ApplicationRestorationDelegate {
    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }
    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool { true }
}

/// The list of a device's items.
@MainActor
private final class Shelf: ListDataSource, DataSourceModelAssociation {
    struct Row {
        /// The number of the item, the same on both devices.
        let number: Int
        let name: String
        let aliases: [String]
    }

    let dataSourceName = "items"
    var rows: [Row]
    init(_ rows: [Row]) { self.rows = rows }

    func elementCounts() -> [Int] { [rows.count] }
    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        indexPath.flatMap { rows.indices.contains($0.item) ? rows[$0.item].name : nil }
    }
    func indexPathForElement(withModelIdentifier identifier: String?, in view: (any ElementView)?)
        -> ElementIndexPath?
    {
        rows.firstIndex { $0.name == identifier }.map { .init(item: $0) }
    }
    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        rows.first { $0.name == identifier }?.aliases ?? []
    }
}
