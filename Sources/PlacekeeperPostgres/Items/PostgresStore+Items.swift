package import PlacekeeperCore
package import PlacekeeperMatching
package import PlacekeeperService

extension PostgresStore {
    package func registries(of list: ItemList) async throws(StoreError) -> [Registry] {
        try await rows(
            """
            SELECT device, cursor, digest, count, ambiguous, removed FROM registry
            WHERE app = $1 AND owner = $2 AND data_source = $3
            ORDER BY NOT EXISTS (SELECT 1 FROM device WHERE device.uuid = registry.device), number LIMIT $4
            """, .id(list.owner.app), .id(list.owner.user), .text(list.dataSource), .int(Limits.registries)
        ).map { row throws(StoreError) in
            let device: DeviceID = try row.id()
            let state = RegistrationState(
                cursor: try row.number(.revision), digest: try row.itemDigest(), count: try row.count())
            return Registry(
                list: list, device: device, state: state, ambiguousAliasCount: try row.count(),
                removedCount: try row.count())
        }
    }

    /// Parameters 1 to 4 of a statement about a registration.
    static func values(of registry: Registry, _ values: Value...) -> [Value] {
        registry.list.owner.values + [.text(registry.list.dataSource), .id(registry.device)] + values
    }

    static let itemColumns = """
        item.ordinal, item.key, item.aliases, item.position, item.changed_at, item.since, item.is_reuse,
        item.removed_at, item.replaced_by
        """
    /// The number of the registration identified by parameters 1 to 4.
    static let number = "(SELECT number FROM registry WHERE \(isRegistry))"
    private static let isRegistry = """
        registry.app = $1 AND registry.owner = $2 AND registry.data_source = $3 AND registry.device = $4
        """
    /// Selects one item of the registration. As a lateral query with a limit, this is one lookup in the primary key for
    /// each row on its left. Without statistics, in a new or restored database, a join would scan the whole list for
    /// each row.
    private static func itemOfKey(_ key: String) -> String {
        """
        SELECT * FROM item WHERE item.app = $1 AND item.owner = $2 AND item.registry = registry.number
            AND item.key = \(key) LIMIT 1
        """
    }
    /// The items with the given aliases: at most two for each alias, live items first, then the newest.
    static let itemsWithAliases = """
        SELECT asked.alias, \(itemColumns) FROM registry
        CROSS JOIN (SELECT DISTINCT unnest($5) AS alias) AS asked
        CROSS JOIN LATERAL (
            SELECT item, is_live, ordinal FROM alias WHERE alias.app = $1 AND alias.owner = $2
                AND alias.registry = registry.number AND alias.alias = asked.alias
            ORDER BY is_live DESC, ordinal DESC LIMIT 2) AS alias
        CROSS JOIN LATERAL (\(itemOfKey("alias.item"))) AS item
        WHERE \(isRegistry)
        ORDER BY asked.alias, alias.is_live DESC, alias.ordinal DESC
        """
    static let textsOfSoleItems = """
        SELECT sole.alias, item.texts FROM registry
        CROSS JOIN LATERAL (
            SELECT alias, max(item) AS item FROM alias WHERE app = $1 AND owner = $2
                AND alias.registry = registry.number AND alias = ANY($5)
            GROUP BY alias HAVING count(*) = 1 AND bool_and(is_live)) AS sole
        CROSS JOIN LATERAL (\(itemOfKey("sole.item"))) AS item
        WHERE \(isRegistry)
        """
    private static let ofRegistry = "item.app = $1 AND item.owner = $2 AND item.registry = \(number)"

    private func items(_ sql: String, _ values: [Value]) async throws(StoreError) -> Rows {
        guard let rows = try await read(Batch([Statement(sql, values)])).first else {
            throw .corrupt("The database returned no result.")
        }
        return rows
    }

    package func items(_ keys: [LookupKey], in registry: Registry) async throws(StoreError) -> [StoredItem?] {
        guard !keys.isEmpty else { return [] }
        let found = try await items(
            "SELECT \(Self.itemColumns) FROM item WHERE \(Self.ofRegistry) AND item.key = ANY($5)",
            Self.values(of: registry, .ints(keys.map(\.rawValue)))
        ).map { row throws(StoreError) in try row.item() }
        let byKey = Dictionary(found.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return keys.map { byKey[$0] }
    }

    package func items(
        _ keys: [(user: UserID, key: LookupKey)], of app: AppID
    ) async throws(StoreError) -> [RegisteredItem] {
        // The limits keep the database from scanning whole tables if it has no statistics (`itemOfKey`).
        try await rows(
            """
            SELECT asked.owner, registry.data_source, registry.device, item.texts
            FROM unnest($2, $3) AS asked (owner, key)
            CROSS JOIN LATERAL (
                SELECT number, data_source, device FROM registry
                WHERE registry.app = $1 AND registry.owner = asked.owner LIMIT $4) AS registry
            CROSS JOIN LATERAL (
                SELECT texts, removed_at FROM item WHERE item.app = $1 AND item.owner = asked.owner
                    AND item.registry = registry.number AND item.key = asked.key LIMIT 1) AS item
            WHERE item.removed_at IS NULL
            """, .id(app), .ids(keys.map(\.user)), .ints(keys.map(\.key.rawValue)),
            .int(Limits.dataSources * Limits.registries)
        ).map(leavingOut: damaged, "an item of the user", id: 0) { row throws(StoreError) in
            let list = ItemList(owner: UserKey(app: app, user: try row.id()), dataSource: try row.text())
            return RegisteredItem(list: list, device: try row.id(), texts: try row.bytes())
        }
    }

    package func items(
        withAliases aliases: [LookupKey], in registry: Registry
    ) async throws(StoreError) -> [[StoredItem]] {
        guard !aliases.isEmpty else { return [] }
        let found = try await items(
            Self.itemsWithAliases, Self.values(of: registry, .ints(aliases.map(\.rawValue))))
        var byAlias: [LookupKey: [StoredItem]] = [:]
        for index in 0..<found.count {
            var row = Row(found, index)
            byAlias[LookupKey(rawValue: try row.key()), default: []].append(try row.item())
        }
        return aliases.map { byAlias[$0] ?? [] }
    }

    package func textsOfSoleItems(
        withAliases aliases: [LookupKey], in registry: Registry
    ) async throws(StoreError) -> [[UInt8]?] {
        guard !aliases.isEmpty else { return [] }
        let found = try await items(
            Self.textsOfSoleItems, Self.values(of: registry, .ints(aliases.map(\.rawValue))))
        return try texts(found, for: aliases)
    }

    package func texts(of items: [StoredItem], in registry: Registry) async throws(StoreError) -> [[UInt8]?] {
        guard !items.isEmpty else { return [] }
        let keys = items.map(\.key)
        let found = try await self.items(
            "SELECT item.key, item.texts FROM item WHERE \(Self.ofRegistry) AND item.key = ANY($5)",
            Self.values(of: registry, .ints(keys.map(\.rawValue))))
        return try texts(found, for: keys)
    }

    private func texts(_ rows: Rows, for keys: [LookupKey]) throws(StoreError) -> [[UInt8]?] {
        var texts: [LookupKey: [UInt8]] = [:]
        for index in 0..<rows.count {
            var row = Row(rows, index)
            texts[LookupKey(rawValue: try row.key())] = try row.bytes()
        }
        return keys.map { texts[$0] }
    }

    package func areAmbiguous(_ aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [Bool] {
        guard !aliases.isEmpty else { return [] }
        let found = try await items(
            """
            SELECT alias FROM ambiguous_alias WHERE app = $1 AND owner = $2 AND registry = \(Self.number)
                AND alias = ANY($5)
            """, Self.values(of: registry, .ints(aliases.map(\.rawValue)))
        ).map { row throws(StoreError) in LookupKey(rawValue: try row.key()) }
        let ambiguous = Set(found)
        return aliases.map(ambiguous.contains)
    }

    package func ambiguousAliases(
        above key: LookupKey?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [LookupKey] {
        try await items(
            """
            SELECT alias FROM ambiguous_alias WHERE app = $1 AND owner = $2 AND registry = \(Self.number)
                AND alias \(key == nil ? ">=" : ">") $5
            ORDER BY alias LIMIT $6
            """, Self.values(of: registry, .int(key?.rawValue ?? .min), .int(limit))
        ).map { row throws(StoreError) in LookupKey(rawValue: try row.key()) }
    }

    package func items(
        next position: Int64, behind: Bool, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem] {
        let isLive = "\(Self.ofRegistry) AND removed_at IS NULL"
        let sql =
            behind
            ? "SELECT \(Self.itemColumns) FROM item WHERE \(isLive) AND position >= $5 ORDER BY position, key LIMIT $6"
            : """
            SELECT \(Self.itemColumns) FROM item WHERE \(isLive) AND position < $5
            ORDER BY position DESC, key DESC LIMIT $6
            """
        return try await items(sql, Self.values(of: registry, .int(position), .int(limit)))
            .map { row throws(StoreError) in try row.item() }
    }

    package func items(
        above key: LookupKey?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem] {
        try await items(
            """
            SELECT \(Self.itemColumns) FROM item WHERE \(Self.ofRegistry) AND removed_at IS NULL
                AND key \(key == nil ? ">=" : ">") $5
            ORDER BY key LIMIT $6
            """, Self.values(of: registry, .int(key?.rawValue ?? .min), .int(limit))
        ).map { row throws(StoreError) in try row.item() }
    }

    package func items(after ordinal: Int64?, in registry: Registry, limit: Int) async throws(StoreError)
        -> [ListedItem]
    {
        try await items(
            """
            SELECT removed_at, \(Self.itemColumns) FROM item WHERE \(Self.ofRegistry) AND ordinal > 0 AND ordinal > $5
            ORDER BY ordinal LIMIT $6
            """, Self.values(of: registry, .int(ordinal ?? 0), .int(limit))
        ).map { row throws(StoreError) in
            let removedAt = try row.optionalTime()
            return ListedItem(try row.item(), removedAt: removedAt)
        }
    }
}

extension Row {
    /// Reads the columns `PostgresStore.itemColumns`.
    mutating func item() throws(StoreError) -> StoredItem {
        let (ordinal, key) = (try number(.revision), LookupKey(rawValue: try key()))
        let (aliases, position) = (try keys(), try optionalKey())
        let (changedAt, since, isReuse) = (try time(), try time(), try bool())
        var presence = StoredItem.Presence.live
        if let removedAt = try optionalTime() {
            let successor = try optionalKey()
            presence = successor.map { .replaced(by: LookupKey(rawValue: $0), at: removedAt) } ?? .removed
        }
        return StoredItem(
            ordinal: ordinal, key: key, aliases: aliases, position: position, changedAt: changedAt, since: since,
            isReuse: isReuse, presence: presence)
    }
}
