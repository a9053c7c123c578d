/// Finds a list's elements by their aliases. It reads the list once, when an alias is first looked up, so an index is only
/// used as long as the list cannot change.
@MainActor
package final class ListIndex {
    let list: any ModelAssociation
    let view: (any RestorableView)?
    /// The elements with each alias: the identifier of the only one, or nil if there are several.
    private lazy var soleElements = readSoleElements()

    package init(_ list: any ModelAssociation, in view: (any RestorableView)?) {
        self.list = list
        self.view = view
    }

    private var dataSource: (any DataSourceModelAssociation)? { list as? any DataSourceModelAssociation }

    func contains(_ identifier: String) -> Bool {
        guard let dataSource else { return list.containsElement(withModelIdentifier: identifier) }
        return dataSource.indexPathForElement(withModelIdentifier: identifier, in: view) != nil
    }

    /// Returns the identifier of the only element with an alias. `nil` if no element has it, or if several do.
    func identifierOfSoleElement(withAlias alias: String) -> String? {
        guard let identifiers = list.modelIdentifiers(forElementsWithAlias: alias) else {
            return soleElements[alias] ?? nil
        }
        return Set(identifiers).count == 1 ? identifiers[0] : nil
    }

    private func readSoleElements() -> [String: String?] {
        let all = list.elements(in: view)
        var elements: [String: String?] = [:]
        elements.reserveCapacity(all.count)
        for element in all {
            for alias in element.aliases {
                if let known = elements.updateValue(element.identifier, forKey: alias), known != element.identifier {
                    elements.updateValue(nil, forKey: alias)
                }
            }
        }
        return elements
    }
}

extension ModelAssociation {
    /// Returns all elements of the list that a view shows.
    package func elements(in view: (any RestorableView)?) -> [ListElement] {
        (self as? any DataSourceModelAssociation)?.listElements(in: view) ?? listElements
    }
}
