import PlacekeeperArchive

/// A list whose elements have model identifiers but no index paths, such as a SwiftUI list. A list with index paths
/// conforms to `DataSourceModelAssociation` instead.
///
/// An identifier must refer to the same element at the next launch:
/// ```swift
/// final class Shelf: ModelAssociation {
///     let dataSourceName = "books"
///     var books: [Book] = []
///     var listElements: [ListElement] { books.map { ListElement($0.id, aliases: ["isbn:" + $0.isbn]) } }
/// }
/// ```
@MainActor
public protocol ModelAssociation: AnyObject {
    /// The name of the data source in archives and in the service, the same on every device.
    var dataSourceName: String { get }

    /// All elements, in list order. The runtime finds elements by their aliases in them. A list that is too long to be
    /// read returns none, implements the three methods below, and doesn't call `KeptList.update(from:in:)`.
    var listElements: [ListElement] { get }

    /// Returns whether an element is in the list.
    func containsElement(withModelIdentifier identifier: String) -> Bool

    /// Returns an element's aliases: evidence of its identity that is the same on every device, such as a server ID, an
    /// ISBN, or a hash of the content.
    ///
    /// The service accepts up to 32 aliases for an element, each up to 512 bytes. Include at least one that never
    /// changes: if an element keeps none of its aliases, the service assumes that its identifier was reused for another
    /// element.
    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String]

    /// Returns the model identifiers of all elements that have an alias, including elements that are not loaded yet. If
    /// there are several, the alias identifies none of them. `nil`, the default, makes the runtime read the aliases of all
    /// elements. Implement this method if that takes too long, and the app's data has an index.
    func modelIdentifiers(forElementsWithAlias alias: String) -> [String]?

    /// Whether the list selects the nearest neighbor if a saved selected element is not found.
    var selectsNeighbors: Bool { get }

    /// The kinds of aliases that different elements never share, such as `server` if each element has its own server
    /// ID. The kind of an alias is the text before its first colon: the kind of `isbn:9780306406157` is `isbn`.
    ///
    /// One shared alias of such a kind proves that two elements are the same. At most 16 kinds, each of 1 to 64 bytes
    /// without colons, commas and control characters.
    var uniqueAliases: [String] { get }

    /// Loads an element that is not loaded yet, such as one on a later page of the list. Returns false if the element
    /// does not exist.
    func reveal(elementWithModelIdentifier identifier: String) async -> Bool
}

extension ModelAssociation {
    /// Returns whether `listElements` contains the element.
    public func containsElement(withModelIdentifier identifier: String) -> Bool {
        listElements.contains { ByteText($0.identifier) == ByteText(identifier) }
    }
    /// Returns the aliases that the element has in `listElements`.
    public func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        listElements.first { ByteText($0.identifier) == ByteText(identifier) }?.aliases ?? []
    }
    /// Returns nil.
    public func modelIdentifiers(forElementsWithAlias alias: String) -> [String]? { nil }
    /// False: if a saved selected element is not found, nothing is selected, unless the service chose a neighbor.
    public var selectsNeighbors: Bool { false }
    /// Empty: several elements may share an alias of any kind.
    public var uniqueAliases: [String] { [] }
    /// Returns whether the element is loaded, and loads nothing.
    public func reveal(elementWithModelIdentifier identifier: String) async -> Bool {
        containsElement(withModelIdentifier: identifier)
    }
}

/// An element of a list: its model identifier on this device, and its aliases.
public struct ListElement: Sendable, Hashable {
    /// The element's model identifier on this device. Compared by its UTF-8 bytes.
    public var identifier: String {
        get { name.text }
        set { name = ByteText(newValue) }
    }
    private var name: ByteText
    /// Evidence of the element's identity that is the same on every device
    /// (see `ModelAssociation.modelAliases(forElementWithModelIdentifier:)`).
    public var aliases: [String]

    /// Creates an element.
    public init(_ identifier: String, aliases: [String] = []) {
        name = ByteText(identifier)
        self.aliases = aliases
    }
}
