package import RestorationService

extension SQLiteStore {
    package func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) async throws(StoreError) -> Committed<DeltaResult> {
        try await writer.write(
            weight: delta.weight, rows: delta.rows, effects: { .write(to: list.owner, $0.isApplied) }
        ) {
            transaction throws(StoreError) in
            try transaction.keepingScenes { () throws(StoreError) in
                try transaction.apply(delta, to: list, of: device, limit: limit)
            }
        }
    }

    package func registries(of list: ItemList) async throws(StoreError) -> [Registry] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.registries)
            select.bind(list.owner.app, at: 1)
            select.bind(list.owner.user, at: 2)
            select.bind(list.dataSource, at: 3)
            select.bind(Limits.registries, at: 4)
            var registries: [Registry] = []
            while try select.step() { registries.append(try select.registry()) }
            return registries
        }
    }

    package func items(_ keys: [LookupKey], in registry: Registry) async throws(StoreError) -> [StoredItem?] {
        try readers.readAtOnce { connection throws(StoreError) in
            let select = try connection.statement(.itemByKey)
            select.bind(registry.id, at: 1)
            var items = [StoredItem?](repeating: nil, count: keys.count)
            for index in keys.inOrder {
                select.bind(keys[index].rawValue, at: 2)
                if try select.step() { items[index] = try select.item() }
                select.reset()
            }
            return items
        }
    }

    package func items(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError)
        -> [[StoredItem]]
    {
        try readers.readAtOnce { connection throws(StoreError) in
            let select = try connection.statement(.itemsWithAlias)
            select.bind(registry.id, at: 1)
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
            let select = try connection.statement(.textsOfItems)
            select.bind(registry.id, at: 1)
            var texts = [[UInt8]?](repeating: nil, count: aliases.count)
            for index in aliases.inOrder {
                select.bind(aliases[index].rawValue, at: 2)
                if try select.step(), select.integer(0) == 1 {
                    texts[index] = select.bytes(1)
                    if try select.step() { texts[index] = nil }
                }
                select.reset()
            }
            return texts
        }
    }

    package func texts(of items: [StoredItem]) async throws(StoreError) -> [[UInt8]?] {
        try readers.readAtOnce { connection throws(StoreError) in
            var texts = [[UInt8]?](repeating: nil, count: items.count)
            for index in items.indices.sorted(by: { items[$0].number < items[$1].number }) {
                texts[index] = try connection.texts(of: items[index])
            }
            return texts
        }
    }

    package func areAmbiguous(_ aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [Bool] {
        try readers.readAtOnce { connection throws(StoreError) in
            let select = try connection.statement(.isAmbiguous)
            select.bind(registry.id, at: 1)
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
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(key == nil ? .firstAmbiguous : .ambiguousAbove)
            select.bind(registry.id, at: 1)
            select.bind(limit, at: 2)
            if let key { select.bind(key.rawValue, at: 3) }
            var keys: [LookupKey] = []
            while try select.step() { keys.append(LookupKey(rawValue: select.integer(0))) }
            return keys
        }
    }

    package func items(
        next position: Int64, behind: Bool, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(behind ? .itemsBehind : .itemsBefore)
            select.bind(registry.id, at: 1)
            select.bind(position, at: 2)
            select.bind(limit, at: 3)
            return try select.items()
        }
    }

    package func items(
        above key: LookupKey?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(key == nil ? .firstItems : .itemsAbove)
            select.bind(registry.id, at: 1)
            if let key { select.bind(key.rawValue, at: 2) }
            select.bind(limit, at: 3)
            return try select.items()
        }
    }
}

extension [LookupKey] {
    /// The indices in the order of the keys in the database, so that each key is near the key before it.
    fileprivate var inOrder: [Int] { indices.sorted { self[$0].rawValue < self[$1].rawValue } }
}

extension Statement {
    func registry() throws(StoreError) -> Registry {
        let digest = try withBytes(3) { bytes throws(StoreError) in
            guard bytes.count == 16 else { throw .corrupt("The digest of a registration is not 16 bytes long.") }
            return ItemDigest(high: bytes.word(0), low: bytes.word(1))
        }
        return Registry(
            id: integer(0), device: try id(1),
            state: RegistrationState(cursor: try number(2), digest: digest, count: try count(4)),
            ambiguousAliasCount: try count(5), removedCount: try count(6))
    }

    func item() throws(StoreError) -> StoredItem {
        let aliases = try withBytes(5) { bytes throws(StoreError) in
            guard bytes.count % 8 == 0 else { throw .corrupt("An item's aliases are not 8 bytes each.") }
            return (0..<bytes.count / 8).map { LookupKey(rawValue: Int64(bitPattern: bytes.word($0))) }
        }
        var presence = StoredItem.Presence.live
        if let successor = optionalInteger(7) {
            presence = .replaced(by: LookupKey(rawValue: successor))
        } else if !isNull(6) {
            presence = .removed
        }
        return StoredItem(
            number: integer(2), registry: integer(0), key: LookupKey(rawValue: integer(1)), aliases: aliases,
            position: optionalInteger(3), changedAt: try time(4), presence: presence)
    }

    fileprivate func items() throws(StoreError) -> [StoredItem] {
        var items: [StoredItem] = []
        while try step() { items.append(try item()) }
        return items
    }
}

extension Query {
    static let registryColumns = "registry.id, device, cursor, digest, count, set_aside, removed"
    static let itemColumns = """
        item.registry, item.key, item.number, position, changed_at, aliases, removed_at, replaced_by
        """
    static let itemByKey = Query("SELECT \(itemColumns) FROM item WHERE registry = ?1 AND key = ?2")
    /// Selects by number and key, because the number of a deleted item may now belong to another item.
    static let textOfItem = Query("SELECT texts FROM item_text WHERE number = ?1 AND key = ?2")
    private static let isLive = "item.registry = ?1 AND removed_at IS NULL"
    fileprivate static let registries = Query(
        """
        SELECT \(registryColumns) FROM user CROSS JOIN registry ON registry.user = user.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND data_source = ?3
        ORDER BY NOT EXISTS (SELECT 1 FROM device WHERE device.uuid = registry.device), registry.id LIMIT ?4
        """)
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
    fileprivate static let isAmbiguous = Query("SELECT 1 FROM set_aside WHERE registry = ?1 AND key = ?2")
    fileprivate static let firstAmbiguous = Query(
        "SELECT key FROM set_aside WHERE registry = ?1 ORDER BY key LIMIT ?2")
    fileprivate static let ambiguousAbove = Query(
        "SELECT key FROM set_aside WHERE registry = ?1 AND key > ?3 ORDER BY key LIMIT ?2")
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
