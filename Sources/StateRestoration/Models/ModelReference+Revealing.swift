public import KeyedArchive

extension ModelReference {
    /// Finds the element as `resolve` does. While it is not there, the data source is asked to load it by what it is
    /// called here: its identifier, or one that bears an alias of it. Where it is gone, what stands in for it is loaded.
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

    /// What is saved of a reference that was restored: what the service said of it holds for one archive only.
    var withoutResolution: ModelReference {
        var reference = self
        reference.element = itself
        reference.resolution = nil
        return reference
    }

    /// What is saved of a reference whose element is not there. Nil when nothing is left by which it could be found.
    var savedAgain: ModelReference? {
        let neighbours = role == .firstVisible ? before + after : []
        let isFindable = ([itself] + neighbours).contains { $0 != Element(nil) }
        return isFindable || indexPath != nil ? withoutResolution : nil
    }
}
