import PlacekeeperArchive
import PlacekeeperRuntime

/// A device's list as its app shows it: the data source that the runtime asks when it saves and restores.
@MainActor
final class ShownList: DataSourceModelAssociation {
    let dataSourceName = Cloud.dataSource
    private let names: [String]
    private let aliases: [[String]]
    private let places: [String: Int]
    private let writesAliases: Bool

    /// - Parameter writesAliases: whether the app gives aliases to the runtime. If false, it only registers them.
    init(_ shelf: Shelf, writesAliases: Bool) {
        names = shelf.rows.map { shelf.names[$0] ?? "" }
        aliases = shelf.rows.map { shelf.aliases[$0] }
        places = Dictionary(zip(names, names.indices)) { first, _ in first }
        self.writesAliases = writesAliases
    }

    func elementCounts(in view: (any ElementView)?) -> [Int] { [names.count] }

    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        indexPath.flatMap { names.indices.contains($0.item) ? names[$0.item] : nil }
    }

    func indexPathForElement(withModelIdentifier identifier: String?, in view: (any ElementView)?)
        -> ElementIndexPath?
    {
        identifier.flatMap { places[$0] }.map { ElementIndexPath(item: $0) }
    }

    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        writesAliases ? places[identifier].map { aliases[$0] } ?? [] : []
    }

    /// Returns references to rows, as the runtime writes them.
    func references(to rows: [(place: Int, role: ModelReference.Role)]) -> [ModelReference] {
        let index = ListIndex(self, in: nil)
        return rows.compactMap { row in
            guard row.role != .other else {
                return ModelReference(dataSource: dataSourceName, element: index.savedElement(names[row.place]))
            }
            return ModelReference(elementAt: ElementIndexPath(item: row.place), of: self, by: index, role: row.role)
        }
    }

    /// Returns the rows that the runtime shows for references.
    func find(_ references: [ModelReference]) -> [ElementResolution?] {
        let index = ListIndex(self, in: nil)
        return references.map { $0.resolve(in: self, by: index) }
    }
}
