/// A list that knows its elements by model identifiers and has no index paths, such as a list of SwiftUI. A list with
/// index paths adopts `DataSourceModelAssociation`.
///
/// An identifier must name the same element at the next launch.
@MainActor
public protocol ModelAssociation: AnyObject {
    /// The name of the data source in archives and in the service. The name must be the same on every device.
    var dataSourceName: String { get }

    /// Returns whether the list has an element.
    func containsElement(withModelIdentifier identifier: String) -> Bool

    /// Returns the aliases of an element: evidence of the element's identity that is the same on every device, such as
    /// a server's id, an ISBN, or a hash of the element's content. The service accepts at most 32 aliases for an
    /// element, of at most 512 bytes each. Use at least one alias that never changes: if an element keeps none of its
    /// aliases, the service assumes that the element's identifier was reused for another element.
    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String]

    /// Returns the model identifier of the element that has an alias. Nil if no element has the alias, or if several
    /// elements have it.
    func modelIdentifierForElement(withAlias alias: String) -> String?

    /// Whether the list selects the nearest neighbor if a saved selected element is not found.
    var selectsNeighbors: Bool { get }

    /// Whether different elements never have an alias in common, as with a server's ids.
    var uniqueAliases: Bool { get }

    /// Loads an element that is not loaded yet, such as an element on a later page of the list. Returns false if the
    /// element does not exist.
    func reveal(elementWithModelIdentifier identifier: String) async -> Bool
}

extension ModelAssociation {
    /// Returns no aliases.
    public func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] { [] }
    /// Returns nil.
    public func modelIdentifierForElement(withAlias alias: String) -> String? { nil }
    /// False: if a saved selected element is not found, the list selects no neighbor, unless the service chose a
    /// neighbor.
    public var selectsNeighbors: Bool { false }
    /// False: different elements may have an alias in common.
    public var uniqueAliases: Bool { false }
    /// Loads nothing. Returns whether the element is loaded.
    public func reveal(elementWithModelIdentifier identifier: String) async -> Bool {
        containsElement(withModelIdentifier: identifier)
    }
}
