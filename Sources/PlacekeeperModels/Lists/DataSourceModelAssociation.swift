/// A list's data source that maps between elements and model identifiers, like `UIDataSourceModelAssociation` (seed
/// rows 39 to 41).
///
/// Both `modelIdentifierForElement(at:in:)` and `indexPathForElement(withModelIdentifier:in:)` must return nil for nil
/// (seed row 41).
@MainActor
public protocol DataSourceModelAssociation: ModelAssociation {
    /// Returns the model identifier of the element at an index path. `nil` if there is none.
    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String?

    /// Returns the current index path of an element. `nil` if the element is not in the list; never return the first
    /// row instead.
    func indexPathForElement(withModelIdentifier identifier: String?, in view: (any ElementView)?)
        -> ElementIndexPath?

    /// Returns the number of elements in each section. The counts let a list find elements by their aliases, save an
    /// element's neighbors, and scroll to a neighbor if the element is not found.
    func elementCounts(in view: (any ElementView)?) -> [Int]

    /// Returns all elements of the list, in order.
    /// - Parameter view: The view that shows the list, if the data source serves several views.
    func listElements(in view: (any ElementView)?) -> [ListElement]
}

extension DataSourceModelAssociation {
    /// The elements at all index paths.
    public var listElements: [ListElement] { listElements(in: nil) }

    /// Returns the elements at all index paths.
    public func listElements(in view: (any ElementView)?) -> [ListElement] {
        var elements: [ListElement] = []
        // Loops, because each call of a closure would check that it runs on the main actor.
        for (section, count) in elementCounts(in: view).enumerated() {
            for item in 0..<max(0, count) {
                let place = ElementIndexPath(section: section, item: item)
                guard let identifier = modelIdentifierForElement(at: place, in: view) else { continue }
                let aliases = modelAliases(forElementWithModelIdentifier: identifier)
                elements.append(ListElement(identifier, aliases: aliases))
            }
        }
        return elements
    }

    /// Returns no aliases.
    public func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] { [] }

    /// Returns whether the element has an index path.
    public func containsElement(withModelIdentifier identifier: String) -> Bool {
        indexPathForElement(withModelIdentifier: identifier, in: nil) != nil
    }
    /// Returns no sections, so no neighbors are saved.
    public func elementCounts(in view: (any ElementView)?) -> [Int] { [] }
}

/// A view that shows a list. A data source that serves several views tells them apart by it.
@MainActor
public protocol ElementView: AnyObject {}
