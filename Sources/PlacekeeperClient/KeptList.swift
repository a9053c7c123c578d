package import PlacekeeperModels

/// A list whose items the client registers with the service, so another device can restore the same items under its own
/// identifiers (docs/identity.md).
///
/// Update the list when its data has loaded, at each launch of the process, and when its data changes. The client sends
/// only the changes. It compares a digest with the service, and repairs any difference.
package final class KeptList: Sendable {
    /// The name of the data source.
    package let name: String
    private let declaration: Wire.DataSourceDeclaration
    private let placekeeper: Placekeeper

    init(_ name: String, _ declaration: Wire.DataSourceDeclaration, _ placekeeper: Placekeeper) {
        self.name = name
        self.declaration = declaration
        self.placekeeper = placekeeper
    }

    /// Registers elements, and unregisters all others. Returns immediately.
    /// - Parameter elements: All elements in the list's order, at most 100,000. Further elements are left out.
    package func update(_ elements: [ListElement]) {
        placekeeper.engine.perform { [name, declaration] core, now in
            let earlier = core.registeredElements(of: name)
            // The first declaration counts, and an empty list doesn't know its kinds of aliases yet.
            guard !elements.isEmpty || !earlier.isEmpty else { return }
            let registered = elements.registeredElements(after: earlier)
            core.register(registered, of: name, as: declaration, at: now)
        }
    }

    /// Registers all elements of a list, and unregisters all others. Returns immediately. Does nothing for a list that
    /// is too long to be read (`ModelAssociation.listElements`): update it with its elements.
    /// - Parameters:
    ///   - list: The list, with at most 100,000 elements. Further elements are left out.
    ///   - view: The view that shows the list, if the data source serves several views.
    @MainActor
    package func update(from list: any ModelAssociation, in view: (any ElementView)? = nil) {
        let elements = list.elements(in: view)
        if elements.isEmpty, list.modelIdentifiers(forElementsWithAlias: "") != nil { return }
        update(elements)
    }

    /// Records that an item was replaced by another one, for example because two records were merged. References to the
    /// replaced item then resolve to the other item. Returns immediately.
    package func replace(_ identifier: String, by other: String) {
        placekeeper.engine.perform { [name] core, now in core.redirect(identifier, to: other, in: name, at: now) }
    }
}

extension Placekeeper {
    /// Returns the list of a data source, with the data source's name, `selectsNeighbors` and `uniqueAliases`.
    @MainActor
    package func list(of dataSource: any ModelAssociation) -> KeptList {
        list(
            dataSource.dataSourceName, selectsNeighbors: dataSource.selectsNeighbors,
            uniqueAliases: dataSource.uniqueAliases)
    }
}
