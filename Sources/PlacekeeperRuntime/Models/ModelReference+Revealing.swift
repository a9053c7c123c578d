public import PlacekeeperArchive

extension ModelReference {
    /// Finds the element with `resolve(in:view:)`. If the element is not loaded, this method asks the data source to
    /// load the element: first by the saved identifier, and then by the identifier that the data source returns for
    /// each of the element's aliases. If the element is still not found, this method asks the data source to load the
    /// neighbor that the service chose.
    @MainActor
    public func reveal(
        in dataSource: any DataSourceModelAssociation, view: (any RestorableView)? = nil
    ) async -> ElementResolution? {
        await reveal(in: dataSource) {
            resolve(in: dataSource, view: view)
        } step: {
            $0.step
        }
    }

    /// Finds the element with `find(in:)`. If the element is not loaded, this method asks the list to load the element,
    /// as `reveal(in:view:)` does.
    @MainActor
    public func revealElement(in list: any ModelAssociation) async -> IdentifiedElement? {
        await reveal(in: list) {
            find(in: list)
        } step: {
            $0.step
        }
    }

    @MainActor
    private func reveal<Found: Sendable>(
        in list: any ModelAssociation, _ find: @MainActor () -> Found?,
        step: @MainActor (Found) -> ElementResolution.Step
    ) async -> Found? {
        // A list may look aliases up slowly, so an alias is looked up only if the element was not found before.
        let names =
            [{ itself.identifier }]
            + element.aliases.map { alias in { list.modelIdentifierForElement(withAlias: alias) } }
            + [{ chosenNeighbor }]
        var found = find()
        for name in names {
            if let found, step(found) != .neighbor { return found }
            guard let name = name() else { continue }
            _ = await list.reveal(elementWithModelIdentifier: name)
            found = find()
        }
        return found
    }

    /// The reference without the service's resolution. The resolution is not saved again, because the resolution is
    /// valid for one archive only. The neighbor that replaces a pending element is saved as the farthest neighbor, so
    /// that the list still finds its place if the app ends before the element has arrived.
    package var withoutResolution: ModelReference {
        var reference = self
        reference.element = itself
        reference.resolution = nil
        if let provisionalNeighbor, !(before + after).contains(where: { $0.identifier == provisionalNeighbor }) {
            reference.after = after.prefix(Self.maximumNeighborCount - 1) + [Element(provisionalNeighbor)]
        }
        return reference
    }

    /// The reference that is saved again while the element is not loaded. Nil if the reference has no index path and no
    /// identifier or alias of the element. With the role `firstVisible`, an identifier or alias of a neighbor is
    /// sufficient.
    var savedAgain: ModelReference? {
        let neighbors = role == .firstVisible ? before + after : []
        let isFindable = ([itself] + neighbors).contains { $0 != Element(nil) }
        return isFindable || indexPath != nil ? withoutResolution : nil
    }
}
