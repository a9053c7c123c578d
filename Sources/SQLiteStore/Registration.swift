import RestorationService

/// A delta while it is carried out on what a device registered.
struct Registration {
    let connection: Connection
    let delta: PreparedDelta
    var registry: Registry
    /// Whether anything was registered before: otherwise nothing need be looked for.
    let hasItems: Bool
    /// Whether anything changed.
    private(set) var hasChanged = false

    init(_ delta: PreparedDelta, on registry: Registry, hasItems: Bool, _ connection: Connection) {
        self.delta = delta
        self.registry = registry
        self.hasItems = hasItems
        self.connection = connection
    }

    mutating func run() throws(StoreError) {
        for upsert in delta.upserts { try add(upsert) }
        for key in delta.removals {
            if let item = try known(key), item.isLive { try leave(item, .removed) }
        }
        for redirect in delta.redirects { try carryOut(redirect) }
    }

    private func known(_ key: LookupKey) throws(StoreError) -> StoredItem? {
        guard hasItems else { return nil }
        return try connection.item(key, in: registry.id)
    }

    private mutating func add(_ upsert: PreparedDelta.Upsert) throws(StoreError) {
        guard let item = try known(upsert.key) else {
            try insert(upsert.key, upsert.aliases, upsert.position, upsert.texts)
            try give(upsert.aliases, to: connection.lastInsertedRow)
            return noteAdded(upsert)
        }
        if item.isLive {
            let digest = try delta.digest(item)
            if digest == upsert.digest { return }
            registry.state.digest.toggle(digest)
            registry.state.count -= 1
        }
        // Only what its identity rests on makes it another item.
        let isSame = item.isLive && Set(item.aliases) == Set(upsert.aliases)
        if !isSame { try take(item) }
        let update = try connection.statement(.replaceItem)
        update.bind(item.number, at: 1)
        update.bind(upsert.position, at: 2)
        update.bind(isSame ? item.changedAt : delta.time, at: 3)
        update.bind(keys: upsert.aliases, at: 4)
        try update.run(binding: upsert.texts, at: 5)
        if !isSame { try give(upsert.aliases, to: item.number) }
        noteAdded(upsert)
    }

    private mutating func noteAdded(_ upsert: PreparedDelta.Upsert) {
        registry.state.count += 1
        registry.state.digest.toggle(upsert.digest)
        hasChanged = true
    }

    private mutating func leave(_ item: StoredItem, _ presence: StoredItem.Presence) throws(StoreError) {
        if item.isLive {
            registry.state.digest.toggle(try delta.digest(item))
            registry.state.count -= 1
            try bury(item)
        }
        let update = try connection.statement(.removeItem)
        update.bind(item.number, at: 1)
        update.bind(delta.time, at: 2)
        if case .replaced(let successor) = presence {
            update.bind(successor.rawValue, at: 3)
        } else {
            update.bind(nil as Int64?, at: 3)
        }
        try update.run()
        hasChanged = true
    }

    private mutating func carryOut(_ redirect: PreparedDelta.Redirect) throws(StoreError) {
        let presence = StoredItem.Presence.replaced(by: redirect.to)
        if let item = try connection.item(redirect.from, in: registry.id) {
            if item.presence != presence { try leave(item, presence) }
            return
        }
        try insert(redirect.from, [], nil, redirect.texts)
        guard var item = try connection.item(redirect.from, in: registry.id) else { return }
        // It never was live: there is nothing to take out.
        item.presence = .removed
        try leave(item, presence)
    }

    private func insert(
        _ key: LookupKey, _ aliases: [LookupKey], _ position: Int64?, _ texts: [UInt8]
    ) throws(StoreError) {
        let insert = try connection.statement(.insertItem)
        insert.bind(registry.id, at: 1)
        insert.bind(key.rawValue, at: 2)
        insert.bind(position, at: 3)
        insert.bind(delta.time, at: 4)
        insert.bind(keys: aliases, at: 5)
        try insert.run(binding: texts, at: 6)
    }
}

extension Connection {
    func item(_ key: LookupKey, in registry: Int64) throws(StoreError) -> StoredItem? {
        let select = try statement(.itemByKey)
        select.bind(registry, at: 1)
        select.bind(key.rawValue, at: 2)
        return try select.step() ? try select.item() : nil
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
    fileprivate static let insertItem = Query(
        "INSERT INTO item (registry, key, position, changed_at, aliases, texts) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    fileprivate static let replaceItem = Query(
        """
        UPDATE item SET position = ?2, changed_at = ?3, aliases = ?4, texts = ?5, removed_at = NULL, replaced_by = NULL
        WHERE id = ?1
        """)
    fileprivate static let removeItem = Query("UPDATE item SET removed_at = ?2, replaced_by = ?3 WHERE id = ?1")
}
