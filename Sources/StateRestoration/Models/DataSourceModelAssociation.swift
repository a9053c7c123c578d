/// A list's data source that associates elements with model identifiers, like `UIDataSourceModelAssociation` (seed
/// rows 39 to 41).
///
/// An identifier must name the same element at the next launch. `modelIdentifierForElement(at:in:)` and
/// `indexPathForElement(withModelIdentifier:in:)` must return nil for nil (seed row 41).
@MainActor
public protocol DataSourceModelAssociation: AnyObject {
    /// The name of the data source in archives and in the service. The name must be the same on every device.
    var dataSourceName: String { get }

    /// Returns the model identifier of the element at an index path. Nil if there is no element.
    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any RestorableView)?) -> String?

    /// Returns the current index path of an element. Nil if the list does not have the element. Never return the index
    /// path of the first row instead of nil.
    func indexPathForElement(withModelIdentifier identifier: String?, in view: (any RestorableView)?)
        -> ElementIndexPath?

    /// Returns the aliases of an element: evidence of the element's identity that is the same on every device, such as
    /// a server's id, an ISBN, or a hash of the element's content. The service accepts at most 32 aliases for an
    /// element, of at most 512 bytes each. Use at least one alias that never changes: if an element keeps none of its
    /// aliases, the service assumes that the element's identifier was reused for another element.
    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String]

    /// Returns the model identifier of the element that has an alias. Nil if no element has the alias, or if several
    /// elements have it.
    func modelIdentifierForElement(withAlias alias: String) -> String?

    /// Returns the number of elements in each section. With these numbers, a list can save the neighbors of an element,
    /// and scroll to a neighbor if the element is not found.
    func elementCounts(in view: (any RestorableView)?) -> [Int]

    /// Whether the list selects the nearest neighbor if a saved selected element is not found.
    var selectsNeighbours: Bool { get }

    /// Loads an element that is not loaded yet, such as an element on a later page of the list. Returns false if the
    /// element does not exist.
    func reveal(elementWithModelIdentifier identifier: String) async -> Bool
}

extension DataSourceModelAssociation {
    /// Returns no aliases.
    public func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] { [] }
    /// Returns nil.
    public func modelIdentifierForElement(withAlias alias: String) -> String? { nil }
    /// Returns no sections, so no neighbors are saved.
    public func elementCounts(in view: (any RestorableView)?) -> [Int] { [] }
    /// False: if a saved selected element is not found, the list selects no neighbor, unless the service chose a
    /// neighbor.
    public var selectsNeighbours: Bool { false }
    /// Loads nothing. Returns whether the element is loaded.
    public func reveal(elementWithModelIdentifier identifier: String) async -> Bool {
        indexPathForElement(withModelIdentifier: identifier, in: nil) != nil
    }
}
