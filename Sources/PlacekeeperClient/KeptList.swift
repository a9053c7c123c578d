public import PlacekeeperArchive
public import PlacekeeperRuntime

/// A list whose items the client registers with the service, so that another device restores the same items, under its
/// own identifiers (docs/identity.md).
///
/// Update the list when its data has loaded, at each launch of the process, and when its data has changed. The client
/// sends only the changes. It compares a digest with the service, and repairs a difference.
public final class KeptList: Sendable {
    /// The name of the data source.
    public let name: String
    private let declaration: Wire.DataSourceDeclaration
    private let placekeeper: Placekeeper

    init(_ name: String, _ declaration: Wire.DataSourceDeclaration, _ placekeeper: Placekeeper) {
        self.name = name
        self.declaration = declaration
        self.placekeeper = placekeeper
    }

    /// Registers all elements of a list without index paths, and removes the other elements. Returns at once.
    /// - Parameter elements: The elements in the list's order, at most 100,000. Further elements, and elements without an
    ///   identifier, are left out.
    public func update(_ elements: [ModelReference.Element]) {
        placekeeper.engine.perform { [name, declaration] core, now in
            let registered = elements.registeredElements(after: core.registeredElements(of: name))
            core.register(registered, of: name, as: declaration, at: now)
        }
    }

    /// Registers all elements of a list without index paths, with the aliases that the list returns, and removes the
    /// other elements. Returns at once.
    /// - Parameters:
    ///   - list: The list.
    ///   - identifiers: The identifiers of all elements in the list's order, at most 100,000. Further elements are left
    ///     out.
    @MainActor
    public func update(from list: any ModelAssociation, identifiers: [String]) {
        update(
            identifiers.map { identifier in
                .init(identifier, aliases: list.modelAliases(forElementWithModelIdentifier: identifier))
            })
    }

    /// Registers all elements of a list, and removes the other elements.
    /// - Parameters:
    ///   - dataSource: The data source, which has at most 100,000 elements. Further elements are left out.
    ///   - view: The view that shows the list, if the data source serves several views.
    @MainActor
    public func update(from dataSource: any DataSourceModelAssociation, in view: (any RestorableView)? = nil) async {
        await update { dataSource.registeredElements(in: view, after: $0) }
    }

    /// Registers the elements to which an archive refers, and their neighbors, and removes elements that are gone. Use
    /// this method for a list that is too long to register completely. It needs a list with unique aliases (see
    /// `ModelAssociation.uniqueAliases`), because the service cannot see whether two elements of the device share an alias.
    /// - Parameters:
    ///   - dataSource: The data source that has the elements.
    ///   - archive: An archive of this device.
    ///   - view: The view that shows the list, if the data source serves several views.
    @MainActor
    public func update(
        from dataSource: any DataSourceModelAssociation, referredBy archive: StateArchive,
        in view: (any RestorableView)? = nil
    ) async {
        await update { archive.registeredElements(of: dataSource, in: view, after: $0) }
    }

    /// Tells that an item replaced another item, for example because two records were merged. References to the replaced
    /// item are resolved to the other item. Returns at once.
    public func replace(_ identifier: String, by other: String) {
        placekeeper.engine.perform { [name] core, now in core.redirect(identifier, to: other, in: name, at: now) }
    }

    @MainActor
    private func update(_ elements: @MainActor ([RegisteredElement]) -> [RegisteredElement]) async {
        let engine = placekeeper.engine
        let (earlier, owner) = await engine.value { [name] core in
            (core.registeredElements(of: name), core.owner)
        }
        let registered = elements(earlier)
        engine.perform { [name, declaration] core, now in
            // After a sign-out in the meantime, the elements are possibly of another person.
            guard core.owner == owner else { return }
            core.register(registered, of: name, as: declaration, at: now)
        }
    }
}

extension Placekeeper {
    /// The list of a data source, with the name, the choice of neighbors and the promise about aliases that the data
    /// source returns.
    @MainActor
    public func list(of dataSource: any ModelAssociation) -> KeptList {
        list(
            dataSource.dataSourceName, selectsNeighbors: dataSource.selectsNeighbors,
            uniqueAliases: dataSource.uniqueAliases)
    }
}
