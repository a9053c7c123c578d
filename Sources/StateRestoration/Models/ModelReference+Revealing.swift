public import KeyedArchive

extension ModelReference {
    /// Finds the element as `resolve(in:view:)` does. If the element is not loaded, this method asks the data source
    /// to load it: by its identifier, and by the identifiers of the elements that have its aliases. If it does not
    /// exist, the neighbor that the service chose is loaded.
    @MainActor
    public func reveal(
        in dataSource: any DataSourceModelAssociation, view: (any RestorableView)? = nil
    ) async -> ElementResolution? {
        let names = [itself.identifier] + element.aliases.map { dataSource.modelIdentifierForElement(withAlias: $0) }
        for name in names + [standIn] {
            if let found = resolve(in: dataSource, view: view), found.step != .neighbour { return found }
            if let name { _ = await dataSource.reveal(elementWithModelIdentifier: name) }
        }
        return resolve(in: dataSource, view: view)
    }

    /// The reference without the service's resolution, which is valid for one archive only.
    var withoutResolution: ModelReference {
        var reference = self
        reference.element = itself
        reference.resolution = nil
        return reference
    }

    /// The reference in the form in which it is saved again while its element is not loaded. Nil if it has no
    /// evidence left.
    var savedAgain: ModelReference? {
        let neighbours = role == .firstVisible ? before + after : []
        let isFindable = ([itself] + neighbours).contains { $0 != Element(nil) }
        return isFindable || indexPath != nil ? withoutResolution : nil
    }
}
