extension RestorationService {
    /// Declares a data source. The first declaration wins; the same again changes nothing.
    /// - Returns: whether it is new.
    package func declare(_ source: DataSource, named name: String, for caller: Caller) async throws(ServiceError)
        -> Bool
    {
        try Validation.dataSourceName(name)
        if caller.app.dataSources[name] == source { return false }
        return try await declare(source, named: name, of: caller.app.id, overriding: false)
    }

    /// What operators may: takes declarations back, and declares data sources whatever they were declared as before. Nothing
    /// is done where one of the names cannot be one, or was not declared that is to be taken back. What devices registered
    /// of a data source is there again when it is declared anew.
    package func redeclare(
        _ sources: [(name: String, source: DataSource)], undeclaring names: [String] = [], of app: App
    ) async throws(ServiceError) {
        for (name, _) in sources { try Validation.dataSourceName(name) }
        for name in names where app.dataSources[name] == nil {
            throw ServiceError(.dataSourceUnknown, "This app has declared no data source \(name).")
        }
        for name in names {
            let wasDeclared = try await ask { store async throws(StoreError) in
                try await store.undeclare(name, of: app.id)
            }
            if wasDeclared { principals.forgetAll() }
        }
        for (name, source) in sources { _ = try await declare(source, named: name, of: app.id, overriding: true) }
    }

    private func declare(
        _ source: DataSource, named name: String, of app: AppID, overriding: Bool
    ) async throws(ServiceError) -> Bool {
        let declaration = try await ask { store async throws(StoreError) in
            try await store.declare(source, named: name, of: app, overriding: overriding)
        }
        switch declaration {
        case .declared:
            // Callers hold the app, and answers were made for them.
            principals.forgetAll()
            return true
        case .known: return false
        case .differs(let known):
            throw ServiceError(
                .dataSourceDiffers,
                "The data source was declared otherwise. An operator can change it: placekeeper app data-sources APP --declare NAME=SCOPE.",
                details: ["scope": known.scope.rawValue, "selectsNeighbours": "\(known.selectsNeighbours)"])
        case .tooMany:
            throw ServiceError(
                .tooManyDataSources,
                "An app declares at most \(Limits.dataSources) data sources. An operator can declare more: placekeeper app data-sources APP --declare NAME=SCOPE."
            )
        case .noApp: throw ServiceError(.appUnknown, "There is no such app.")
        }
    }

    /// A data source that was declared.
    package func dataSource(named name: String, for caller: Caller) throws(ServiceError) -> DataSource {
        try Validation.dataSourceName(name)
        guard let source = caller.app.dataSources[name] else {
            throw ServiceError(
                .dataSourceUnknown, "This app has declared no such data source; PUT /v1/data-sources/NAME declares it.")
        }
        return source
    }

    /// The list of a user of a data source whose items are registered.
    func registeredList(named name: String, for caller: Caller) throws(ServiceError) -> ItemList {
        let scope = try dataSource(named: name, for: caller).scope
        guard scope == .registered else {
            throw ServiceError(
                .itemsNotRegistered,
                "The data source was declared as \(scope.rawValue), and only one that was declared as registered has items. An operator can change it: placekeeper app data-sources APP --declare \(name)=registered."
            )
        }
        return ItemList(owner: caller.owner, dataSource: name)
    }
}
