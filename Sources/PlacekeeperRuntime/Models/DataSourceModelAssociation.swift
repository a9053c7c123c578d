/// A list's data source that associates elements with model identifiers, like `UIDataSourceModelAssociation` (seed
/// rows 39 to 41).
///
/// `modelIdentifierForElement(at:in:)` and `indexPathForElement(withModelIdentifier:in:)` must return nil for nil (seed
/// row 41).
@MainActor
public protocol DataSourceModelAssociation: ModelAssociation {
    /// Returns the model identifier of the element at an index path. Nil if there is no element.
    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any RestorableView)?) -> String?

    /// Returns the current index path of an element. Nil if the list does not have the element. Never return the index
    /// path of the first row instead of nil.
    func indexPathForElement(withModelIdentifier identifier: String?, in view: (any RestorableView)?)
        -> ElementIndexPath?

    /// Returns the number of elements in each section. With these numbers, a list can save the neighbors of an element,
    /// and scroll to a neighbor if the element is not found.
    func elementCounts(in view: (any RestorableView)?) -> [Int]
}

extension DataSourceModelAssociation {
    /// Returns whether an index path is known for the element.
    public func containsElement(withModelIdentifier identifier: String) -> Bool {
        indexPathForElement(withModelIdentifier: identifier, in: nil) != nil
    }
    /// Returns no sections, so no neighbors are saved.
    public func elementCounts(in view: (any RestorableView)?) -> [Int] { [] }
}
