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
    package var selectsNeighbors: Bool
    /// Whether aliases are unique: different things never have an alias in common, as with a server's ids. So a single
    /// shared alias proves that two items are the same.
    ///
    /// Without this promise, an alias may be of a kind that is ambiguous for this user somewhere, because different
    /// things share it. A single shared alias of such a kind is not enough by itself if the neighbors of the two items
    /// contradict it, or are unknown.
    package var uniqueAliases: Bool
    /// Whether devices may send redirects for a list of the scope `shared`. A registered list always has redirects.
    package var allowsRedirects: Bool

    package init(
        scope: Scope, selectsNeighbors: Bool = false, uniqueAliases: Bool = false, allowsRedirects: Bool = false
    ) {
        self.scope = scope
        self.selectsNeighbors = selectsNeighbors
        self.uniqueAliases = uniqueAliases
        self.allowsRedirects = allowsRedirects
    }

    /// Whether devices may register items or send redirects. Then an answer depends on what they sent.
    package var acceptsItems: Bool { scope == .registered || (scope == .shared && allowsRedirects) }

    /// Decodes a stored declaration. A member that is missing, because the declaration is older, is false.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            scope: try members.decode(Scope.self, forKey: .scope),
            selectsNeighbors: try members.decode(Bool.self, forKey: .selectsNeighbors),
            uniqueAliases: try members.decodeIfPresent(Bool.self, forKey: .uniqueAliases) ?? false,
            allowsRedirects: try members.decodeIfPresent(Bool.self, forKey: .allowsRedirects) ?? false)
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
