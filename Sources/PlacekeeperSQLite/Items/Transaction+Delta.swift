import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

extension Transaction {
    /// Applies a delta completely, or returns why it can't be applied and changes nothing.
    func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) throws(StoreError) -> DeltaResult {
        var facts = DeltaFacts()
        facts.isActorKnown = try connection.device(device, of: list.owner) != nil
        let owner = try connection.user(list.owner)
        facts.quotas = try quotaFacts(of: owner, in: list.owner.app)
        let found = try connection.registry(of: device, in: list)
        if let found {
            facts.state = found.registry.state
            facts.removedCount = found.registry.removedCount
        }
        facts.items = try connection.items(delta.keys, in: found?.row)
        let decision = try DeltaDecision(delta, in: facts, limit: limit) { keys throws(StoreError) in
            try connection.items(keys, in: found?.row)
        } liveCounts: { aliases throws(StoreError) in
            try connection.itemCounts(aliases, in: found?.row)
        } texts: { items throws(StoreError) in
            try connection.texts(of: items)
        }
        switch decision {
        case .answer(let result): return result
        case .write(let changes):
            var stored: StoredRegistry
            // The device belongs to the owner, so the owner has a row.
            var owner = if let owner { owner } else { try knownUser(list.owner) }
            if let found { stored = found } else { stored = try insertRegistry(of: device, in: list, owner) }
            let bytes = stored.bytes
            try write(changes, to: &stored, at: delta.time)
            try count(Usage(bytes: stored.bytes - bytes), of: &owner)
            try storeUsage(of: owner)
            try note(delta.time, for: list.owner)
            return .applied(changes.state)
        }
    }

    private func write(
        _ changes: DeltaChanges, to stored: inout StoredRegistry, at time: Timestamp
    ) throws(StoreError) {
        var aliases = AliasChanges()
        for change in changes.items {
            var item = change.item
            if let texts = change.texts {
                if change.before == nil {
                    item.ordinal = try insert(texts, of: item)
                } else {
                    try replaceTexts(of: item, by: texts)
                }
            }
            try put(item, in: stored.row, at: time)
            if change.changesAliases { aliases.change(from: change.before, to: item) }
        }
        stored.registry.ambiguousAliasCount += try aliases.carryOut(on: stored, connection)
        stored.registry.state = changes.state
        stored.registry.removedCount = changes.removedCount
        stored.bytes += changes.textBytes
        if changes.forgottenCount > 0 {
            let forgotten = try forgetRemoved(changes.forgottenCount, of: stored.row)
            stored.registry.removedCount -= forgotten.count
            stored.bytes -= forgotten.bytes
        }
        try update(stored)
    }

    /// Inserts the texts of a new item.
    /// - Returns: the item's ordinal, which is the row id of its texts.
    func insert(_ texts: [UInt8], of item: StoredItem) throws(StoreError) -> Int64 {
        let insert = try connection.statement(.insertText, item.key.rawValue)
        try insert.run(binding: texts, at: 2)
        return connection.lastInsertedRow
    }

    private func replaceTexts(of item: StoredItem, by texts: [UInt8]) throws(StoreError) {
        let update = try connection.statement(.replaceText, item.ordinal)
        try update.run(binding: texts, at: 2)
    }

    /// Stores an item without its texts. If it isn't live, its removal time is set to `time`.
    func put(_ item: StoredItem, in registry: Int64, at time: Timestamp) throws(StoreError) {
        try connection.run(
            .putItem, registry, item.key.rawValue, item.ordinal, item.position, item.changedAt, Keys(item.aliases),
            item.isLive ? nil : time.milliseconds, item.successor?.rawValue,
            item.since == item.changedAt ? nil : item.since.milliseconds, item.isReuse ? 1 : 0)
    }

    func insertRegistry(
        of device: DeviceID, in list: ItemList, _ user: UserRow
    ) throws(StoreError) -> StoredRegistry {
        try connection.run(.countRegistry)
        try connection.run(.insertRegistry, user.id, list.dataSource, device)
        return StoredRegistry(
            row: connection.lastInsertedRow, registry: Registry(list: list, device: device, state: RegistrationState()))
    }

    func update(_ stored: StoredRegistry) throws(StoreError) {
        try connection.run(
            .updateRegistry, stored.row, stored.registry.state.cursor, stored.registry.state.digest,
            stored.registry.state.count, stored.registry.ambiguousAliasCount, stored.registry.removedCount, stored.bytes
        )
    }
}

extension Transaction {
    /// Raises a user's latest time to `time`, unless it is already at least that.
    private func note(_ time: Timestamp, for owner: UserKey) throws(StoreError) {
        try connection.run(.raiseLatestTime, owner, time)
    }
}

/// The bytes of keys, or NULL if there are none.
private struct Keys: Bindable {
    let keys: [LookupKey]

    init(_ keys: [LookupKey]) { self.keys = keys }

    func bind(to statement: OpaquePointer, at index: inout Int32) {
        switch keys.count {
        case 0: (nil as Int64?).bind(to: statement, at: &index)
        case 1: [UInt8].bind(words: keys[0].rawValue.bigEndian, to: statement, at: &index)
        default:
            keys.flatMap { key in withUnsafeBytes(of: key.rawValue.bigEndian) { Array($0) } }
                .bind(to: statement, at: &index)
        }
    }
}

extension Query {
    fileprivate static let raiseLatestTime = Query(
        """
        UPDATE user SET latest_time = ?3
        WHERE app = ?1 AND uuid = ?2 AND (latest_time < ?3 OR latest_time IS NULL)
        """)
    fileprivate static let insertText = Query("INSERT INTO item_text (key, texts) VALUES (?1, ?2)")
    fileprivate static let replaceText = Query("UPDATE item_text SET texts = ?2 WHERE number = ?1")
    fileprivate static let putItem = Query(
        """
        INSERT INTO item (registry, key, number, position, changed_at, aliases, removed_at, replaced_by, since, is_reuse)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        ON CONFLICT DO UPDATE SET
            position = ?4, changed_at = ?5, aliases = ?6, removed_at = ?7, replaced_by = ?8, since = ?9, is_reuse = ?10
        """)
    fileprivate static let insertRegistry = Query(
        """
        INSERT INTO registry (id, user, data_source, device, digest)
        SELECT last_registry, ?1, ?2, ?3, zeroblob(16) FROM store
        """)
    fileprivate static let countRegistry = Query("UPDATE store SET last_registry = last_registry + 1")
    fileprivate static let updateRegistry = Query(
        """
        UPDATE registry SET cursor = ?2, digest = ?3, count = ?4, ambiguous = ?5, removed = ?6, bytes = ?7
        WHERE id = ?1
        """)
}
