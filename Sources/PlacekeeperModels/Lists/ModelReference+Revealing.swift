public import PlacekeeperArchive

extension ModelReference {
    /// Finds the element with `resolve(in:view:)`, and asks the data source to load it if necessary: first by its saved
    /// identifier, then by the identifiers that the data source returns for its aliases. If the element is still not
    /// found, asks the data source to load the neighbor that the service chose.
    @MainActor
    public func reveal(
        in dataSource: any DataSourceModelAssociation, view: (any ElementView)? = nil
    ) async -> ElementResolution? {
        await reveal(in: dataSource) {
            resolve(in: dataSource, view: view)
        } step: {
            $0.step
        }
    }

    /// Finds the element with `find(in:)`, and asks the list to load it if necessary, as `reveal(in:view:)` does.
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
        // Looking up an alias may be slow, so do it only if the element has not been found before.
        let names =
            [{ itself.identifier }]
            + element.aliases.map { alias in
                { list.modelIdentifiers(forElementsWithAlias: alias).flatMap(ListIndex.sole) }
            }
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

    /// The reference without the service's resolution, which is valid for one archive only. An identifier that the
    /// service found is left out if the reference has aliases: the device may have rejected it, and decides again by the
    /// aliases. A neighbor that stands in for a pending element is saved as the farthest neighbor, so the list still
    /// finds its position if the app ends before the element arrives.
    package var withoutResolution: ModelReference {
        var reference = self
        reference.element = itself
        if let step = resolution?.step, step != .exact, !element.allAliases.isEmpty {
            reference.element.identifier = nil
        }
        reference.resolution = nil
        if let provisionalNeighbor, !(before + after).contains(where: { $0.hasIdentifier(provisionalNeighbor) }) {
            reference.after = after.prefix(Self.maximumNeighborCount - 1) + [Element(provisionalNeighbor)]
        }
        return reference
    }

    /// The reference as a device reads it in the state of another device. Without a resolution of the service, the
    /// identifiers of an element with aliases, and of its neighbors, may mean other elements here.
    package var ofAnotherDevice: ModelReference {
        guard resolution == nil, !element.allAliases.isEmpty else { return self }
        var reference = self
        reference.element.identifier = nil
        for index in before.indices { reference.before[index].identifier = nil }
        for index in after.indices { reference.after[index].identifier = nil }
        return reference
    }

    /// The reference to save again while the element is not loaded. `nil` if it has no index path and nothing to find
    /// the element by: an identifier or alias of the element or, for the role `firstVisible`, of a neighbor.
    package var savedAgain: ModelReference? {
        let neighbors = role == .firstVisible ? before + after : []
        let isFindable = ([itself] + neighbors).contains { !$0.isNameless }
        return isFindable || indexPath != nil ? withoutResolution : nil
    }
}

extension ModelReference.Element {
    /// Whether the element has neither an identifier nor aliases.
    var isNameless: Bool { identifier == nil && allAliases.isEmpty }

    fileprivate func hasIdentifier(_ other: String) -> Bool { identifier.map(ByteText.init) == ByteText(other) }
}
