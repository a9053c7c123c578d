import PlacekeeperArchive
public import PlacekeeperRuntime

/// A data source of another framework, such as UIKit's `UIDataSourceModelAssociation`, used as it is. The name, the
/// aliases and the element counts are provided separately.
///
/// The data source's index path for an identifier is used only if the element there has this identifier. So if a data
/// source returns the first row for an unknown identifier, the first row isn't used.
@MainActor
public final class AssociatedList: DataSourceModelAssociation {
    /// Returns the identifier of an element. Nil if there is none.
    public typealias IdentifierAt = @MainActor (ElementIndexPath) -> String?
    /// Returns the index path of an identifier. Nil if there is none.
    public typealias IndexPathOf = @MainActor (String) -> ElementIndexPath?

    /// The name of the data source in archives and on the service.
    public let dataSourceName: String
    /// Whether the list selects the nearest neighbor if the saved selection isn't found.
    public let selectsNeighbors: Bool
    /// The kinds of aliases that different elements never share.
    public let uniqueAliases: [String]
    private let identifier: IdentifierAt
    private let indexPath: IndexPathOf
    private let counts: @MainActor () -> [Int]
    private let aliases: @MainActor (String) -> [String]

    /// Creates a list.
    /// - Parameters:
    ///   - name: The name of the data source, the same on every device.
    ///   - selectsNeighbors: See `ModelAssociation.selectsNeighbors`.
    ///   - uniqueAliases: See `ModelAssociation.uniqueAliases`.
    ///   - counts: Returns the number of elements in each section.
    ///   - identifier: Returns the identifier at an index path within `counts`.
    ///   - indexPath: Returns the index path of an identifier.
    ///   - aliases: Returns the aliases of an identifier.
    public init(
        _ name: String, selectsNeighbors: Bool = false, uniqueAliases: [String] = [],
        counts: @escaping @MainActor () -> [Int], identifierAt identifier: @escaping IdentifierAt,
        indexPathOf indexPath: @escaping IndexPathOf, aliases: @escaping @MainActor (String) -> [String] = { _ in [] }
    ) {
        dataSourceName = name
        self.selectsNeighbors = selectsNeighbors
        self.uniqueAliases = uniqueAliases
        self.counts = counts
        self.identifier = identifier
        self.indexPath = indexPath
        self.aliases = aliases
    }

    /// Returns the identifier of the element at an index path.
    public func modelIdentifierForElement(
        at indexPath: ElementIndexPath?, in view: (any RestorableView)?
    ) -> String? {
        guard let indexPath else { return nil }
        let counts = counts()
        // Data sources trap if an index path is beyond their rows.
        guard counts.indices.contains(indexPath.section), (0..<counts[indexPath.section]).contains(indexPath.item)
        else { return nil }
        return identifier(indexPath)
    }

    /// Returns the index path of an element.
    public func indexPathForElement(
        withModelIdentifier identifier: String?, in view: (any RestorableView)?
    ) -> ElementIndexPath? {
        guard let identifier, let found = indexPath(identifier),
            modelIdentifierForElement(at: found, in: view).map(ByteText.init) == ByteText(identifier)
        else { return nil }
        return found
    }

    /// Returns the number of elements in each section.
    public func elementCounts(in view: (any RestorableView)?) -> [Int] { counts() }

    /// Returns the elements at all index paths.
    public func listElements(in view: (any RestorableView)?) -> [ListElement] {
        counts().enumerated().flatMap { section, count in
            (0..<max(0, count)).compactMap { item in
                identifier(ElementIndexPath(section: section, item: item)).map { ListElement($0, aliases: aliases($0)) }
            }
        }
    }

    /// Returns the aliases of an element.
    public func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] { aliases(identifier) }
}
