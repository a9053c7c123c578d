import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime

/// A list of many rows, and the references of another device to some of them.
@MainActor
final class LongList: ListDataSource, DataSourceModelAssociation {
    let dataSourceName = "music"
    private let rows: [ListElement]
    private let places: [String: Int]
    private let view = ListView()

    /// One title in ten is twice in the list, so that titles are no proof.
    init(rowCount: Int) {
        rows = (0..<rowCount).map { row in
            ListElement("row \(row)", aliases: ["key:title \(row % 10 == 9 ? row - 5 : row)|artist \(row / 100)"])
        }
        places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.identifier, $0) })
        view.dataSource = self
    }

    func elementCounts() -> [Int] { [rows.count] }
    func listElements(in view: (any ElementView)?) -> [ListElement] { rows }
    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        indexPath.map { rows[$0.item].identifier }
    }
    func indexPathForElement(
        withModelIdentifier identifier: String?, in view: (any ElementView)?
    ) -> ElementIndexPath? {
        identifier.flatMap { places[$0] }.map { .init(item: $0) }
    }
    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        places[identifier].map { rows[$0].aliases } ?? []
    }

    /// Returns references to rows, as the service serves them: half of them with the identifier found by a title, the
    /// others pending.
    func references(_ count: Int) -> [ModelReference] {
        (0..<count).map { number in
            let row = 10 + number * (rows.count - 20) / count
            func element(_ row: Int) -> ModelReference.Element { .init(nil, aliases: rows[row].aliases) }
            var reference = ModelReference(
                dataSource: dataSourceName, element: element(row), role: .selected,
                before: (1...8).map { element(row - $0) }, after: (1...8).map { element(row + $0) },
                resolution: .init(step: number % 2 == 0 ? .alias : .pending, confidence: 0))
            if number % 2 == 0 { reference.element.identifier = rows[row].identifier }
            return reference
        }
    }

    /// Selects the rows of the references, and returns how many it found.
    func show(_ references: [ModelReference]) -> Int {
        view.show(PendingList(selection: references))
        return view.listSelection.count
    }
}
