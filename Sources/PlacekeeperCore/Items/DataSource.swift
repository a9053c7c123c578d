/// A named list of an app, whose items have model identifiers (docs/identity.md).
package struct DataSource: Sendable, Hashable, Codable {
    /// How identifiers on different devices are related.
    package enum Scope: String, Sendable, Codable, CaseIterable {
        /// An item has the same identifier on every device, so references are served unchanged.
        case shared
        /// References carry a stable key, by which the app on the requesting device finds the item. The service passes
        /// them on unchanged.
        case keyed
        /// Each device has its own identifiers, and registers aliases for each of them.
        case registered
    }

    package var scope: Scope
    /// Whether the nearest neighbor may be selected if the selected item was removed.
    package var selectsNeighbors: Bool
    /// The kinds of aliases that are unique, in order and without duplicates: two different things never share an alias
    /// of such a kind, such as a server's ids. A single shared alias then proves that two items are the same.
    ///
    /// Any other kind is ambiguous if different things of the user share an alias of that kind. A single shared alias
    /// of an ambiguous kind isn't enough if the neighbors of the two items contradict the match or are unknown.
    package private(set) var uniqueAliases: [String]
    /// Whether devices may send redirects for a list with the scope `shared`. A registered list always accepts them.
    package var allowsRedirects: Bool

    package init(
        scope: Scope, selectsNeighbors: Bool = false, uniqueAliases: [String] = [], allowsRedirects: Bool = false
    ) {
        self.scope = scope
        self.selectsNeighbors = selectsNeighbors
        self.uniqueAliases = Set(uniqueAliases).sorted()
        self.allowsRedirects = allowsRedirects
    }

    /// Whether devices may register items or send redirects. If so, responses depend on what they sent.
    package var acceptsItems: Bool { scope == .registered || (scope == .shared && allowsRedirects) }

    /// Decodes a stored declaration. Members that an older declaration doesn't have are false. In 0.1.0,
    /// `uniqueAliases` was a truth value that named no kinds, so it promises nothing now.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            scope: try members.decode(Scope.self, forKey: .scope),
            selectsNeighbors: try members.decode(Bool.self, forKey: .selectsNeighbors),
            uniqueAliases: (try? members.decode([String].self, forKey: .uniqueAliases)) ?? [],
            allowsRedirects: try members.decodeIfPresent(Bool.self, forKey: .allowsRedirects) ?? false)
    }
}

/// The result of declaring a data source. The first declaration wins; only an operator can change it.
package enum Declaration: Sendable, Hashable {
    case declared
    /// The data source already has this declaration.
    case known
    /// The data source has another declaration.
    case differs(DataSource)
    case tooMany
    case noApp
}

/// The items that the devices of one user registered for one data source.
package struct ItemList: Sendable, Hashable {
    package var owner: UserKey
    package var dataSource: String
    package init(owner: UserKey, dataSource: String) {
        self.owner = owner
        self.dataSource = dataSource
    }
}
