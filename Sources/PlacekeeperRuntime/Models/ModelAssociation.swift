/// A list whose elements have model identifiers but no index paths, such as a SwiftUI list. A list with index paths
/// conforms to `DataSourceModelAssociation` instead.
///
/// An identifier must refer to the same element at the next launch.
@MainActor
public protocol ModelAssociation: AnyObject {
    /// The name of the data source in archives and in the service, the same on every device.
    var dataSourceName: String { get }

    /// Returns whether an element is in the list.
    func containsElement(withModelIdentifier identifier: String) -> Bool

    /// Returns an element's aliases: evidence of its identity that is the same on every device, such as a server ID, an
    /// ISBN, or a hash of the content.
    ///
    /// The service accepts up to 32 aliases for an element, each up to 512 bytes. Include at least one that never
    /// changes: if an element keeps none of its aliases, the service assumes that its identifier was reused for another
    /// element.
    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String]

    /// Returns the model identifier of the element with an alias. `nil` if no element has it, or if several do.
    func modelIdentifierForElement(withAlias alias: String) -> String?

    /// Whether the list selects the nearest neighbor if a saved selected element is not found.
    var selectsNeighbors: Bool { get }

    /// Whether an alias never belongs to more than one element, as with server IDs.
    var uniqueAliases: Bool { get }

    /// Loads an element that is not loaded yet, such as one on a later page of the list. Returns false if the element
    /// does not exist.
    func reveal(elementWithModelIdentifier identifier: String) async -> Bool
}

extension ModelAssociation {
    /// Returns no aliases.
    public func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] { [] }
    /// Returns nil.
    public func modelIdentifierForElement(withAlias alias: String) -> String? { nil }
    /// False: if a saved selected element is not found, nothing is selected, unless the service chose a neighbor.
    public var selectsNeighbors: Bool { false }
    /// False: several elements may share an alias.
    public var uniqueAliases: Bool { false }
    /// Returns whether the element is loaded, and loads nothing.
    public func reveal(elementWithModelIdentifier identifier: String) async -> Bool {
        containsElement(withModelIdentifier: identifier)
    }
}
