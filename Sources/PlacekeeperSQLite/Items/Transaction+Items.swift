import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

extension Transaction {
    /// Detaches a device's registrations from their user. Their items are deleted later, in small steps.
    func leaveRegistries(of device: DeviceID, by user: Int64) throws(StoreError) {
        try connection.run(.leaveRegistries, user, device)
    }

    /// Detaches registrations from their users if their devices no longer exist.
    func leave(_ registries: [Int64]) throws(StoreError) {
        for registry in registries {
            let select = try connection.statement(.bytesOfMissingDevice, registry)
            guard try select.step() else { continue }
            try giveBack(Int(select.clampedNumber(0, .count)), ofRegistry: registry)
            try connection.run(.detachRegistry, registry)
        }
    }

    /// Deletes up to `itemStep` items that were removed before `time`, oldest first. Returns their owners, and whether
    /// more may be left.
    func dropRemovedItems(before time: Timestamp) throws(StoreError) -> (owners: [UserKey], hasMore: Bool) {
        let select = try connection.statement(.oldRemovedItems, time, Self.itemStep)
        let items = try drop(select)
        let registries = Dictionary(grouping: items, by: \.registry)
        for (registry, items) in registries {
            let bytes = items.reduce(0) { $0 + $1.bytes }
            try connection.run(.recordForgotten, registry, items.count, bytes)
            try giveBack(bytes, ofRegistry: registry)
        }
        return (try connection.owners(ofRegistries: Array(registries.keys)), items.count == Self.itemStep)
    }

    /// Deletes the `count` items of a registration that were removed first. If they have more aliases than one delta
    /// may have (`Limits.deltaAliases`), deletes fewer, and later deltas delete the rest.
    /// - Returns: the number of deleted items, and the size of their texts in bytes.
    func forgetRemoved(_ count: Int, of registry: Int64) throws(StoreError) -> (count: Int, bytes: Int) {
        let select = try connection.statement(.oldestRemovedItems, registry, count)
        let items = try drop(select, aliases: Limits.deltaAliases)
        return (items.count, items.reduce(0) { $0 + $1.bytes })
    }

    /// Deletes items and ambiguous aliases of detached registrations, up to `itemStep` of each. Returns true if more
    /// may be left; otherwise deletes the detached registrations without items and returns false.
    func dropDetachedRegistries() throws(StoreError) -> Bool {
        do {
            let select = try connection.statement(.itemsOfDetached, Self.itemStep)
            if try drop(select).count == Self.itemStep { return true }
        }
        try connection.run(.dropAmbiguousOfDetached, Self.itemStep)
        if connection.changedRows == Self.itemStep { return true }
        try connection.run(.dropDetachedRegistries)
        return false
    }

    /// Deletes the selected items in order, stopping once they have at least `aliases` aliases together.
    /// - Returns: the items, each with the row id of its registration and the size of its texts in bytes.
    private func drop(
        _ select: borrowing Statement, aliases: Int = .max
    ) throws(StoreError) -> [(registry: Int64, item: StoredItem, bytes: Int)] {
        var items: [(registry: Int64, item: StoredItem, bytes: Int)] = []
        var room = aliases
        while room > 0, try select.step() {
            let item = select.itemToDelete()
            items.append((try select.key(0), item, 0))
            room -= item.aliases.count
        }
        select.reset()
        for index in items.indices {
            let (registry, item, _) = items[index]
            for alias in item.aliases { try connection.delete(alias, of: item, in: registry) }
            let text = try connection.statement(.dropText, item.ordinal)
            items[index].bytes = try text.sumOfCounts()
            try connection.run(.dropItem, registry, item.key.rawValue)
        }
        return items
    }

    private static let itemStep = 500
}

extension Statement {
    /// Runs a statement that returns a count for each changed row, and returns their sum.
    func sumOfCounts() throws(StoreError) -> Int {
        var sum = 0
        while try step() { sum += Int(clampedNumber(0, .count)) }
        return sum
    }
}

extension Connection {
    /// Returns the users with these row ids.
    func owners(of users: [Int64]) throws(StoreError) -> [UserKey] { try owners(.ownerOfUser, users) }

    /// Returns the users of the registrations with these row ids. Skips detached registrations, which have no user.
    fileprivate func owners(ofRegistries registries: [Int64]) throws(StoreError) -> [UserKey] {
        try owners(.ownerOfRegistry, registries)
    }

    private func owners(_ query: Query, _ rows: [Int64]) throws(StoreError) -> [UserKey] {
        let select = try statement(query)
        var owners: [UserKey] = []
        for row in rows {
            select.bind(row, at: 1)
            // A user whose id can't be read is in no cache.
            if try select.step(), let app: AppID = try? select.id(0), let user: UserID = try? select.id(1) {
                owners.append(UserKey(app: app, user: user))
            }
            select.reset()
        }
        return owners
    }
}

extension Query {
    fileprivate static let leaveRegistries = Query(
        "UPDATE registry SET user = NULL WHERE user = ?1 AND device = ?2")
    fileprivate static let bytesOfMissingDevice = Query(
        """
        SELECT bytes FROM registry
        WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM device WHERE device.uuid = registry.device)
        """)
    fileprivate static let detachRegistry = Query("UPDATE registry SET user = NULL WHERE id = ?1")
    fileprivate static let oldRemovedItems = Query(
        "SELECT \(itemColumns) FROM item WHERE removed_at < ?1 ORDER BY removed_at LIMIT ?2")
    fileprivate static let oldestRemovedItems = Query(
        """
        SELECT \(itemColumns) FROM item
        WHERE registry = ?1 AND removed_at IS NOT NULL ORDER BY removed_at, key LIMIT ?2
        """)
    fileprivate static let ownerOfUser = Query("SELECT app, uuid FROM user WHERE id = ?1")
    fileprivate static let ownerOfRegistry = Query(
        "SELECT app, uuid FROM registry CROSS JOIN user ON user.id = registry.user WHERE registry.id = ?1")
    fileprivate static let recordForgotten = Query(
        """
        UPDATE registry SET removed = max(removed - ?2, 0), bytes = max(bytes - ?3, 0) WHERE id = ?1
        """)
    fileprivate static let itemsOfDetached = Query(
        """
        SELECT \(itemColumns) FROM registry CROSS JOIN item ON item.registry = registry.id
        WHERE registry.user IS NULL LIMIT ?1
        """)
    fileprivate static let dropText = Query("DELETE FROM item_text WHERE number = ?1 RETURNING length(texts)")
    fileprivate static let dropItem = Query("DELETE FROM item WHERE registry = ?1 AND key = ?2")
    fileprivate static let dropAmbiguousOfDetached = Query(
        """
        DELETE FROM ambiguous_alias WHERE (registry, key) IN (
            SELECT ambiguous_alias.registry, ambiguous_alias.key
            FROM registry CROSS JOIN ambiguous_alias ON ambiguous_alias.registry = registry.id
            WHERE registry.user IS NULL LIMIT ?1)
        """)
    fileprivate static let dropDetachedRegistries = Query(
        """
        DELETE FROM registry
        WHERE user IS NULL AND NOT EXISTS (SELECT 1 FROM item WHERE item.registry = registry.id)
        """)
}
