import RestorationService

/// Applies a delta to a device's registration.
struct DeltaApplication {
    let connection: Connection
    let delta: PreparedDelta
    var registry: Registry
    /// The stored items that the delta names, as they were before the delta. A delta names each item once.
    let known: [LookupKey: StoredItem]
    private var aliases = AliasChanges()
    /// Whether the delta changed an item.
    private(set) var hasChanged = false

    init(
        _ delta: PreparedDelta, on registry: Registry, knowing known: [LookupKey: StoredItem], _ connection: Connection
    ) {
        self.delta = delta
        self.registry = registry
        self.known = known
        self.connection = connection
    }

    mutating func run() throws(StoreError) {
        for upsert in delta.upserts { try add(upsert) }
        for key in delta.removals {
            if let item = known[key], item.isLive { try markRemoved(item, .removed) }
        }
        for redirect in delta.redirects { try carryOut(redirect) }
        registry.ambiguousAliasCount += try aliases.carryOut(on: registry, connection)
    }

    private mutating func add(_ upsert: PreparedDelta.Upsert) throws(StoreError) {
        guard let item = known[upsert.key] else {
            let number = try insert(upsert.key, upsert.texts)
            try put(
                StoredItem(
                    number: number, registry: registry.id, key: upsert.key, aliases: upsert.aliases,
                    position: upsert.position, changedAt: delta.time, presence: .live))
            aliases.give(upsert.aliases, to: number)
            return noteAdded(upsert)
        }
        let texts = try connection.texts(of: item) ?? []
        if item.isLive {
            let digest = try delta.digest(item, texts)
            if digest == upsert.digest { return }
            registry.state.digest.toggle(digest)
            registry.state.count -= 1
        } else {
            registry.removedCount -= 1
        }
        // A new position alone does not make the item another item, but new aliases do.
        let isSame = item.isLive && Set(item.aliases) == Set(upsert.aliases)
        if !isSame { aliases.take(item) }
        var changed = item
        changed.aliases = upsert.aliases
        changed.position = upsert.position
        changed.presence = .live
        if !isSame { changed.changedAt = delta.time }
        try put(changed)
        if texts != upsert.texts { try replaceTexts(of: item, by: upsert.texts) }
        if !isSame { aliases.give(upsert.aliases, to: item.number) }
        noteAdded(upsert)
    }

    private mutating func noteAdded(_ upsert: PreparedDelta.Upsert) {
        registry.state.count += 1
        registry.state.digest.toggle(upsert.digest)
        hasChanged = true
    }

    private mutating func markRemoved(_ item: StoredItem, _ presence: StoredItem.Presence) throws(StoreError) {
        if item.isLive {
            registry.state.digest.toggle(try delta.digest(item, try connection.texts(of: item) ?? []))
            registry.state.count -= 1
            registry.removedCount += 1
            aliases.markRemoved(item)
        }
        var removed = item
        removed.presence = presence
        try put(removed)
        hasChanged = true
    }

    private mutating func carryOut(_ redirect: PreparedDelta.Redirect) throws(StoreError) {
        let presence = StoredItem.Presence.replaced(by: redirect.to)
        if let item = known[redirect.from] {
            if item.presence != presence { try markRemoved(item, presence) }
            return
        }
        // The item was never live, so there is nothing to remove.
        let unknown = StoredItem(
            number: try insert(redirect.from, redirect.texts), registry: registry.id, key: redirect.from, aliases: [],
            position: nil, changedAt: delta.time, presence: .removed)
        registry.removedCount += 1
        try markRemoved(unknown, presence)
    }

    /// Inserts the texts of a new item.
    /// - Returns: the item's number.
    private func insert(_ key: LookupKey, _ texts: [UInt8]) throws(StoreError) -> Int64 {
        let insert = try connection.statement(.insertText)
        insert.bind(key.rawValue, at: 1)
        try insert.run(binding: texts, at: 2)
        return connection.lastInsertedRow
    }

    private func replaceTexts(of item: StoredItem, by texts: [UInt8]) throws(StoreError) {
        let update = try connection.statement(.replaceText)
        update.bind(item.number, at: 1)
        try update.run(binding: texts, at: 2)
    }

    /// Stores an item without its texts.
    private func put(_ item: StoredItem) throws(StoreError) {
        let put = try connection.statement(.putItem)
        put.bind(item.registry, at: 1)
        put.bind(item.key.rawValue, at: 2)
        put.bind(item.number, at: 3)
        put.bind(item.position, at: 4)
        put.bind(item.changedAt, at: 5)
        put.bind(keys: item.aliases, at: 6)
        put.bind(item.isLive ? nil : delta.time.milliseconds, at: 7)
        if case .replaced(let successor) = item.presence {
            put.bind(successor.rawValue, at: 8)
        } else {
            put.bind(nil as Int64?, at: 8)
        }
        try put.run()
    }
}

extension Connection {
    func item(_ key: LookupKey, in registry: Int64) throws(StoreError) -> StoredItem? {
        let select = try statement(.itemByKey)
        select.bind(registry, at: 1)
        select.bind(key.rawValue, at: 2)
        return try select.step() ? try select.item() : nil
    }

    /// Returns the stored items of the given keys. Keys are looked up in the order of the index.
    func items(_ keys: [LookupKey], in registry: Int64) throws(StoreError) -> [LookupKey: StoredItem] {
        var items: [LookupKey: StoredItem] = [:]
        for key in keys.sorted(by: { $0.rawValue < $1.rawValue }) { items[key] = try item(key, in: registry) }
        return items
    }

    func texts(of item: StoredItem) throws(StoreError) -> [UInt8]? {
        let select = try statement(.textOfItem)
        select.bind(item.number, at: 1)
        select.bind(item.key.rawValue, at: 2)
        return try select.step() ? select.bytes(0) : nil
    }
}

extension Statement {
    func bind(keys: [LookupKey], at index: Int32) {
        switch keys.count {
        case 0: bind(nil as Int64?, at: index)
        case 1: bind(words: keys[0].rawValue.bigEndian, at: index)
        default: bind(keys.flatMap { key in withUnsafeBytes(of: key.rawValue.bigEndian) { Array($0) } }, at: index)
        }
    }
}

extension Query {
    fileprivate static let insertText = Query("INSERT INTO item_text (key, texts) VALUES (?1, ?2)")
    fileprivate static let replaceText = Query("UPDATE item_text SET texts = ?2 WHERE number = ?1")
    fileprivate static let putItem = Query(
        """
        INSERT INTO item (registry, key, number, position, changed_at, aliases, removed_at, replaced_by)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT DO UPDATE SET
            position = ?4, changed_at = ?5, aliases = ?6, removed_at = ?7, replaced_by = ?8
        """)
}
