/// A named list in an app, whose elements have model identifiers (docs/decisions/0056-items-by-evidence.md).
package struct DataSource: Sendable, Hashable, Codable {
    /// What the list's identifiers mean from one device to the next.
    package enum Scope: String, Sendable, Codable, CaseIterable {
        /// The same everywhere: there is nothing to find out.
        case shared
        /// Stable keys, by which the asking app looks an element up by itself: the service carries them.
        case keyed
        /// Something else on each device: devices register which identifier has which aliases.
        case registered
    }

    package var scope: Scope
    /// Whether the nearest neighbour may be selected in place of a selected element that is gone.
    package var selectsNeighbours: Bool

    package init(scope: Scope, selectsNeighbours: Bool = false) {
        self.scope = scope
        self.selectsNeighbours = selectsNeighbours
    }
}

/// What became of declaring a data source. The first declaration wins, and only an operator changes it.
package enum Declaration: Sendable, Hashable {
    case declared
    /// It was declared in just this way before.
    case known
    /// It was declared otherwise.
    case differs(DataSource)
    case tooMany
    case noApp
}

/// What one user's devices call the elements of a data source.
package struct ItemList: Sendable, Hashable {
    package var owner: UserKey
    package var dataSource: String
    package init(owner: UserKey, dataSource: String) {
        self.owner = owner
        self.dataSource = dataSource
    }
}
