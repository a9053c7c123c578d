package import PlacekeeperCore

extension Lists {
    /// Declares a data source. Repeating a declaration changes nothing. A different declaration under the same name is
    /// refused.
    /// - Returns: whether the declaration is new.
    package func declare(_ source: DataSource, named name: String, for principal: Principal) async throws(ServiceError)
        -> Bool
    {
        try Validation.dataSourceName(name)
        try Validation.declaration(source)
        if principal.app.dataSources[name] == source { return false }
        return try await declare(source, named: name, of: principal.app.id, overriding: false)
    }

    /// Removes the declarations `names`, then declares `sources`. Only operators may do this. A new declaration
    /// replaces an earlier one with the same name. If a name or a declaration is invalid, or a declaration to remove
    /// doesn't exist, nothing changes.
    ///
    /// The registered items of a removed data source are kept, and become available again when it is declared again.
    package func redeclare(
        _ sources: [(name: String, source: DataSource)], undeclaring names: [String] = [], of app: App
    ) async throws(ServiceError) {
        for (name, source) in sources {
            try Validation.dataSourceName(name)
            try Validation.declaration(source)
        }
        for name in names where app.dataSources[name] == nil {
            throw ServiceError(.dataSourceUnknown, "This app has not declared the data source \(name).")
        }
        for name in names {
            _ = try await service.write { store async throws(StoreError) in try await store.undeclare(name, of: app.id)
            }
        }
        for (name, source) in sources { _ = try await declare(source, named: name, of: app.id, overriding: true) }
    }

    private func declare(
        _ source: DataSource, named name: String, of app: AppID, overriding: Bool
    ) async throws(ServiceError) -> Bool {
        let declaration = try await service.write { store async throws(StoreError) in
            try await store.declare(source, named: name, of: app, overriding: overriding)
        }
        switch declaration {
        case .declared: return true
        case .known: return false
        case .differs(let known):
            throw ServiceError(
                .dataSourceDiffers, "The data source is already declared with other values.",
                details: [
                    "scope": known.scope.rawValue, "selectsNeighbors": "\(known.selectsNeighbors)",
                    "uniqueAliases": known.uniqueAliases.joined(separator: ","),
                    "allowsRedirects": "\(known.allowsRedirects)",
                ])
        case .tooMany:
            throw ServiceError(
                .tooManyDataSources, "An app can declare at most \(Limits.dataSources) data sources.")
        case .noApp: throw ServiceError(.appUnknown, "There is no such app.")
        }
    }

    /// Returns a declared data source.
    package func dataSource(named name: String, for principal: Principal) throws(ServiceError) -> DataSource {
        try Validation.dataSourceName(name)
        guard let source = principal.app.dataSources[name] else {
            throw ServiceError(.dataSourceUnknown, "This app has not declared this data source.")
        }
        return source
    }

    /// Returns the list for the principal's user and a data source. Throws unless devices may register items for it.
    ///
    /// - Parameter isRegistered: whether the data source must have the scope `registered`.
    func itemList(
        named name: String, for principal: Principal, isRegistered: Bool = false
    ) throws(ServiceError) -> ItemList {
        let source = try dataSource(named: name, for: principal)
        guard isRegistered ? source.scope == .registered : source.acceptsItems else {
            throw ServiceError(
                .itemsNotRegistered,
                "The data source is declared as \(source.scope.rawValue). "
                    + "Items need a data source declared as registered"
                    + (source.scope == .shared ? ", or as shared with redirects." : "."),
                details: ["dataSource": name])
        }
        return ItemList(owner: principal.owner, dataSource: name)
    }
}
