/// A list's data source that knows what its elements are called, wherever they stand: after
/// `UIDataSourceModelAssociation` (seed rows 39 to 41).
///
/// An identifier has to mean the same element at the next launch. Given nil, both methods answer nil (row 41).
@MainActor
public protocol DataSourceModelAssociation: AnyObject {
    /// The list's name in archives and for the service: the same on every device.
    var dataSourceName: String { get }

    /// What the element at a place is called; nil when there is none.
    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any RestorableView)?) -> String?

    /// Where the element of a name stands now; nil when it is gone. Never the first row for want of a better.
    func indexPathForElement(withModelIdentifier identifier: String?, in view: (any RestorableView)?)
        -> ElementIndexPath?

    /// Evidence of an element's identity that is the same on every device: a server's id, an ISBN, a hash of its content.
    /// The service takes 32 for an element, of 512 bytes each. Give one that lasts: where none of them is left, the
    /// identifier is taken to have been used again, for another element.
    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String]

    /// What the element is called here that has an alias; nil when none has it, or several have.
    func modelIdentifierForElement(withAlias alias: String) -> String?

    /// How many elements each section has; it lets the neighbours of an element be saved, to which a list is scrolled
    /// when the element is gone.
    func elementCounts(in view: (any RestorableView)?) -> [Int]

    /// Whether the nearest neighbour is selected in place of a selected element that is gone.
    var selectsNeighbours: Bool { get }

    /// Loads an element that is not there yet, such as one of a later page. False when it does not exist.
    func reveal(elementWithModelIdentifier identifier: String) async -> Bool
}

extension DataSourceModelAssociation {
    /// None.
    public func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] { [] }
    /// Nil.
    public func modelIdentifierForElement(withAlias alias: String) -> String? { nil }
    /// None: no neighbours are saved.
    public func elementCounts(in view: (any RestorableView)?) -> [Int] { [] }
    /// No: the selection is gone with the element.
    public var selectsNeighbours: Bool { false }
    /// Whether it is there already.
    public func reveal(elementWithModelIdentifier identifier: String) async -> Bool {
        indexPathForElement(withModelIdentifier: identifier, in: nil) != nil
    }
}
