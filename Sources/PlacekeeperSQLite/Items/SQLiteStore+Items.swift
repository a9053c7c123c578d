package import PlacekeeperCore
package import PlacekeeperMatching
import PlacekeeperService

extension SQLiteStore {
    package func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) async throws(StoreError) -> Committed<DeltaResult> {
        try await writer.write(
            weight: delta.weight, rows: delta.rows, invalidations: { .write(to: list.owner, $0.isApplied) }
        ) {
            transaction throws(StoreError) in
            try transaction.apply(delta, to: list, of: device, limit: limit)
        }
    }

    package func registries(of list: ItemList) async throws(StoreError) -> [Registry] {
        try readers.read { connection throws(StoreError) in try connection.registries(of: list) }
    }

    package func items(_ keys: [LookupKey], in registry: Registry) async throws(StoreError) -> [StoredItem?] {
        try readers.readAtOnce { connection throws(StoreError) in
            try connection.items(keys, in: connection.row(of: registry))
        }
    }

    package func items(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError)
        -> [[StoredItem]]
    {
        try readers.readAtOnce { connection throws(StoreError) in
            let select = try connection.statement(.itemsWithAlias, in: registry)
            var items = [[StoredItem]](repeating: [], count: aliases.count)
            for index in aliases.inOrder {
                select.bind(aliases[index].rawValue, at: 2)
                while items[index].count < 2, try select.step() { items[index].append(try select.item()) }
                select.reset()
            }
            return items
        }
    }

    package func textsOfSoleItems(
        withAliases aliases: [LookupKey], in registry: Registry
    ) async throws(StoreError) -> [[UInt8]?] {
        try readers.readAtOnce { connection throws(StoreError) in
            let select = try connection.statement(.textsOfItems, in: registry)
            var texts = [[UInt8]?](repeating: nil, count: aliases.count)
            for index in aliases.inOrder {
                select.bind(aliases[index].rawValue, at: 2)
                if try select.step(), try select.flag(0) {
                    texts[index] = select.bytes(1)
                    if try select.step() { texts[index] = nil }
                }
                select.reset()
            }
            return texts
        }
    }

    package func texts(of items: [StoredItem], in registry: Registry) async throws(StoreError) -> [[UInt8]?] {
        try readers.readAtOnce { connection throws(StoreError) in
            guard try connection.row(of: registry) != nil else { return items.map { _ in nil } }
            return try connection.texts(of: items)
        }
    }

    package func areAmbiguous(_ aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [Bool] {
        try readers.readAtOnce { connection throws(StoreError) in
            let select = try connection.statement(.isAmbiguous, in: registry)
            var isAmbiguous: [Bool] = []
            for alias in aliases {
                select.bind(alias.rawValue, at: 2)
                isAmbiguous.append(try select.step())
                select.reset()
            }
            return isAmbiguous
        }
    }

    package func ambiguousAliases(
        above key: LookupKey?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [LookupKey] {
        try readers.readAtOnce { connection throws(StoreError) in
            let select = try connection.statement(key == nil ? .firstAmbiguous : .ambiguousAbove, in: registry)
            select.bind(limit, at: 2)
            if let key { select.bind(key.rawValue, at: 3) }
            var keys: [LookupKey] = []
            while try select.step() { keys.append(LookupKey(rawValue: try select.key(0))) }
            return keys
        }
    }

    package func items(
        next position: Int64, behind: Bool, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem] {
        try readers.readAtOnce { connection throws(StoreError) in
            let select = try connection.statement(behind ? .itemsBehind : .itemsBefore, in: registry)
            select.bind(position, at: 2)
            select.bind(limit, at: 3)
            return try select.items()
        }
    }

    package func items(
        above key: LookupKey?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem] {
        try readers.readAtOnce { connection throws(StoreError) in
            let select = try connection.statement(key == nil ? .firstItems : .itemsAbove, in: registry)
            if let key { select.bind(key.rawValue, at: 2) }
            select.bind(limit, at: 3)
            return try select.items()
        }
    }
}

extension SQLiteStore {
    package func items(
        _ keys: [(user: UserID, key: LookupKey)], of app: AppID
    ) async throws(StoreError) -> [RegisteredItem] {
        try readers.readAtOnce { connection throws(StoreError) in
            let select = try connection.statement(.itemsOfUser, app)
            var items: [RegisteredItem] = []
            for (user, key) in keys {
                select.bind(user, at: 2)
                select.bind(key.rawValue, at: 3)
                let found: [RegisteredItem] = try select.rows(
                    leavingOut: damaged, named: { _ in "an item of the user \(user)" }
                ) { row throws(StoreError) in
                    let list = ItemList(owner: UserKey(app: app, user: user), dataSource: row.text(0))
                    return RegisteredItem(list: list, device: try row.id(1), texts: row.bytes(2))
                }
                items += found
                select.reset()
            }
            return items
        }
    }
}

extension Connection {
    /// Returns the items with the given keys in a registration; an element is `nil` if no item has its key. `registry`
    /// is the registration's row id, or `nil` if there is no registration.
    func items(_ keys: [LookupKey], in registry: Int64?) throws(StoreError) -> [StoredItem?] {
        var items = [StoredItem?](repeating: nil, count: keys.count)
        guard let registry else { return items }
        let select = try statement(.itemByKey, registry)
        for index in keys.inOrder {
            select.bind(keys[index].rawValue, at: 2)
            if try select.step() { items[index] = try select.item() }
            select.reset()
        }
        return items
    }

    /// Returns the encrypted texts of items. An element is `nil` if its item was deleted.
    func texts(of items: [StoredItem]) throws(StoreError) -> [[UInt8]?] {
        var texts = [[UInt8]?](repeating: nil, count: items.count)
        let select = try statement(.textOfItem)
        for index in items.indices.sorted(by: { items[$0].ordinal < items[$1].ordinal }) {
            select.bind(items[index].ordinal, items[index].key.rawValue)
            if try select.step() { texts[index] = select.bytes(0) }
            select.reset()
        }
        return texts
    }
}

extension [LookupKey] {
    /// The indices in the order of the keys in the database, so each key is close to the previous one.
    var inOrder: [Int] { indices.sorted { self[$0].rawValue < self[$1].rawValue } }
}

extension Statement {
    func item() throws(StoreError) -> StoredItem {
        let aliases = try withBytes(5) { bytes throws(StoreError) in
            guard bytes.count % 8 == 0 else { throw .corrupt("An item's aliases are not 8 bytes each.") }
            return (0..<bytes.count / 8).map { LookupKey(rawValue: Int64(bitPattern: bytes.word($0))) }
        }
        var presence = StoredItem.Presence.live
        if let successor = try optionalKey(7) {
            presence = .replaced(by: LookupKey(rawValue: successor), at: try time(6))
        } else if !isNull(6) {
            presence = .removed
        }
        return StoredItem(
            ordinal: try key(2), key: LookupKey(rawValue: try key(1)), aliases: aliases, position: try optionalKey(3),
            changedAt: try time(4), since: try optionalTime(8), isReuse: try flag(9), presence: presence)
    }

    /// Reads the columns needed to delete the item, even if it is damaged.
    func itemToDelete() -> StoredItem {
        let aliases = withBytes(5) { bytes in
            (0..<bytes.count / 8).map { LookupKey(rawValue: Int64(bitPattern: bytes.word($0))) }
        }
        return StoredItem(
            ordinal: clampedNumber(2, .any), key: LookupKey(rawValue: clampedNumber(1, .any)), aliases: aliases,
            position: nil, changedAt: Timestamp(milliseconds: 0), presence: isNull(6) ? .live : .removed)
    }

    fileprivate func items() throws(StoreError) -> [StoredItem] {
        var items: [StoredItem] = []
        while try step() { items.append(try item()) }
        return items
    }
}

extension Query {
    /// The columns of an item, beginning with the row id of its registration.
    static let itemColumns = """
        item.registry, item.key, item.number, position, changed_at, aliases, removed_at, replaced_by, since,
        is_reuse
        """
    fileprivate static let itemByKey = Query("SELECT \(itemColumns) FROM item WHERE registry = ?1 AND key = ?2")
    fileprivate static let itemsOfUser = Query(
        """
        SELECT registry.data_source, registry.device, item_text.texts
        FROM user CROSS JOIN registry ON registry.user = user.id
        CROSS JOIN item ON item.registry = registry.id AND item.key = ?3
        CROSS JOIN item_text ON item_text.number = item.number AND item_text.key = item.key
        WHERE user.app = ?1 AND user.uuid = ?2 AND item.removed_at IS NULL
        """)
    /// Selects by number and key, because a deleted item's number may now belong to another item.
    fileprivate static let textOfItem = Query("SELECT texts FROM item_text WHERE number = ?1 AND key = ?2")
    private static let isLive = "item.registry = ?1 AND removed_at IS NULL"
    private static let joinedTexts = """
        FROM alias CROSS JOIN item_text ON item_text.number = alias.item
        """
    private static let ofAlias = """
        WHERE alias.registry = ?1 AND alias.key = ?2 ORDER BY alias.live DESC, alias.item DESC
        """
    fileprivate static let itemsWithAlias = Query(
        """
        SELECT \(itemColumns) \(joinedTexts)
        CROSS JOIN item ON item.registry = alias.registry AND item.key = item_text.key \(ofAlias)
        """)
    fileprivate static let textsOfItems = Query("SELECT live, texts \(joinedTexts) \(ofAlias)")
    fileprivate static let isAmbiguous = Query("SELECT 1 FROM ambiguous_alias WHERE registry = ?1 AND key = ?2")
    fileprivate static let firstAmbiguous = Query(
        "SELECT key FROM ambiguous_alias WHERE registry = ?1 ORDER BY key LIMIT ?2")
    fileprivate static let ambiguousAbove = Query(
        "SELECT key FROM ambiguous_alias WHERE registry = ?1 AND key > ?3 ORDER BY key LIMIT ?2")
    fileprivate static let itemsBehind = Query(
        """
        SELECT \(itemColumns) FROM item WHERE \(isLive) AND position >= ?2 ORDER BY position, key LIMIT ?3
        """)
    fileprivate static let itemsBefore = Query(
        """
        SELECT \(itemColumns) FROM item WHERE \(isLive) AND position < ?2 ORDER BY position DESC, key DESC LIMIT ?3
        """)
    fileprivate static let firstItems = Query("SELECT \(itemColumns) FROM item WHERE \(isLive) ORDER BY key LIMIT ?3")
    fileprivate static let itemsAbove = Query(
        "SELECT \(itemColumns) FROM item WHERE \(isLive) AND key > ?2 ORDER BY key LIMIT ?3")
}
