import RestorationService

extension Registration {
    /// Gives aliases to a live item. Those that another one bears too are set aside.
    mutating func give(_ aliases: [LookupKey], to item: Int64) throws(StoreError) {
        for alias in aliases {
            try insert(alias, of: item, isLive: true)
            guard try bearerCount(alias) > 1 else { continue }
            registry.setAsideCount += try change(.setAside, alias)
        }
    }

    /// Takes an item's aliases from it, in whatever state it is.
    mutating func take(_ item: StoredItem) throws(StoreError) {
        for alias in item.aliases {
            try connection.delete(alias, of: item)
            if item.isLive { try reconsider(alias) }
        }
    }

    /// Leaves an item that is removed its aliases, by which what refers to it is still understood, and which no longer
    /// stand in another's way.
    mutating func bury(_ item: StoredItem) throws(StoreError) {
        try take(item)
        for alias in item.aliases { try insert(alias, of: item.number, isLive: false) }
    }

    /// An alias that one item alone bears again is evidence again.
    private mutating func reconsider(_ alias: LookupKey) throws(StoreError) {
        guard registry.setAsideCount > 0, try bearerCount(alias) < 2 else { return }
        registry.setAsideCount -= try change(.noLongerSetAside, alias)
    }

    private func insert(_ alias: LookupKey, of item: Int64, isLive: Bool) throws(StoreError) {
        let insert = try connection.statement(.insertAlias)
        insert.bind(registry.id, at: 1)
        insert.bind(alias.rawValue, at: 2)
        insert.bind(isLive ? 1 : 0, at: 3)
        insert.bind(item, at: 4)
        try insert.run()
    }

    /// Of live items, up to two.
    private func bearerCount(_ alias: LookupKey) throws(StoreError) -> Int {
        let select = try connection.statement(.liveBearers)
        select.bind(registry.id, at: 1)
        select.bind(alias.rawValue, at: 2)
        var count = 0
        while count < 2, try select.step() { count += 1 }
        return count
    }

    /// How many rows it changed.
    private func change(_ query: Query, _ alias: LookupKey) throws(StoreError) -> Int {
        let statement = try connection.statement(query)
        statement.bind(registry.id, at: 1)
        statement.bind(alias.rawValue, at: 2)
        try statement.run()
        return connection.changedRows
    }
}

extension Connection {
    /// Takes an alias from an item, in whatever state it is.
    func delete(_ alias: LookupKey, of item: StoredItem) throws(StoreError) {
        let delete = try statement(.deleteAlias)
        delete.bind(item.registry, at: 1)
        delete.bind(alias.rawValue, at: 2)
        delete.bind(item.isLive ? 1 : 0, at: 3)
        delete.bind(item.number, at: 4)
        try delete.run()
    }
}

extension Query {
    fileprivate static let insertAlias = Query("INSERT INTO alias (registry, key, live, item) VALUES (?1, ?2, ?3, ?4)")
    fileprivate static let deleteAlias = Query(
        "DELETE FROM alias WHERE registry = ?1 AND key = ?2 AND live = ?3 AND item = ?4")
    fileprivate static let liveBearers = Query("SELECT 1 FROM alias WHERE registry = ?1 AND key = ?2 AND live = 1")
    fileprivate static let setAside = Query("INSERT OR IGNORE INTO set_aside (registry, key) VALUES (?1, ?2)")
    fileprivate static let noLongerSetAside = Query("DELETE FROM set_aside WHERE registry = ?1 AND key = ?2")
}
