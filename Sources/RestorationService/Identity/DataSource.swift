/// A named list of an app. The list's items have model identifiers (docs/identity.md).
package struct DataSource: Sendable, Hashable, Codable {
    /// How the identifiers of the list on different devices are related.
    package enum Scope: String, Sendable, Codable, CaseIterable {
        /// An item has the same identifier on every device, so references stay unchanged.
        case shared
        /// References carry a stable key. The app on the requesting device finds the item by this key, and the
        /// service passes references on unchanged.
        case keyed
        /// Each device has its own identifiers. Devices register the aliases of each identifier.
        case registered
    }

    package var scope: Scope
    /// Whether the nearest neighbor may be selected in place of a selected item that was removed.
    package var selectsNeighbours: Bool

    package init(scope: Scope, selectsNeighbours: Bool = false) {
        self.scope = scope
        self.selectsNeighbours = selectsNeighbours
    }
}

/// The result of declaring a data source. The first declaration is kept. Only an operator can change a declaration.
package enum Declaration: Sendable, Hashable {
    case declared
    /// The data source has the same declaration already.
    case known
    /// The data source has another declaration.
    case differs(DataSource)
    case tooMany
    case noApp
}

/// Identifies the items that one user's devices registered for one data source.
package struct ItemList: Sendable, Hashable {
    package var owner: UserKey
    package var dataSource: String
    package init(owner: UserKey, dataSource: String) {
        self.owner = owner
        self.dataSource = dataSource
    }
}
