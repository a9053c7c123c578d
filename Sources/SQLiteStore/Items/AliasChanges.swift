import RestorationService

/// What a delta makes of who bears which alias.
struct AliasChanges {
    /// A row of the index.
    fileprivate struct Row: Hashable {
        var alias: LookupKey
        var item: Int64
        var isLive: Bool

        /// In the order in which they lie.
        static func isBefore(_ one: Row, _ other: Row) -> Bool {
            (one.alias.rawValue, one.isLive ? 1 : 0, one.item) < (
                other.alias.rawValue, other.isLive ? 1 : 0, other.item
            )
        }
    }

    private var taken: [Row] = []
    private var given: [Row] = []

    /// Gives aliases to a live item.
    mutating func give(_ aliases: [LookupKey], to item: Int64) {
        for alias in aliases { given.append(Row(alias: alias, item: item, isLive: true)) }
    }

    /// Takes an item's aliases from it, in whatever state it is.
    mutating func take(_ item: StoredItem) {
        for alias in item.aliases { taken.append(Row(alias: alias, item: item.number, isLive: item.isLive)) }
    }

    /// Leaves an item that is removed its aliases, by which what refers to it is still understood, and which no longer
    /// stand in another's way.
    mutating func markRemoved(_ item: StoredItem) {
        take(item)
        for alias in item.aliases { given.append(Row(alias: alias, item: item.number, isLive: false)) }
    }

    /// Writes them in the order in which they lie, so that each is found near the one before.
    /// - Returns: by how many more aliases are set aside than were.
    func carryOut(on registry: Registry, _ connection: Connection) throws(StoreError) -> Int {
        // What an item bears before and after need not be touched.
        let kept = taken.isEmpty ? [] : Set(taken).intersection(given)
        let rows = (taken.map { (row: $0, isGiven: false) } + given.map { (row: $0, isGiven: true) })
            .filter { !kept.contains($0.row) }
            .sorted { Row.isBefore($0.row, $1.row) }
        var rise = 0
        var isLive = false
        for (index, (row, isGiven)) in rows.enumerated() {
            try connection.run(isGiven ? .insertAlias : .deleteAlias, row, in: registry.id)
            isLive = isLive || row.isLive
            // All that an alias has to do with is done before it is looked at.
            if index + 1 < rows.count, rows[index + 1].row.alias == row.alias { continue }
            if isLive { rise += try reconsider(row.alias, in: registry, connection) }
            isLive = false
        }
        return rise
    }

    /// An alias that two live items bear is set aside, and evidence again when one alone does.
    private func reconsider(
        _ alias: LookupKey, in registry: Registry, _ connection: Connection
    ) throws(StoreError) -> Int {
        if try connection.itemCount(alias, in: registry.id) > 1 {
            return try connection.change(.markAmbiguous, alias, in: registry.id)
        }
        return registry.ambiguousAliasCount > 0 ? -(try connection.change(.unmarkAmbiguous, alias, in: registry.id)) : 0
    }
}

extension Connection {
    /// Takes an alias from an item, in whatever state it is.
    func delete(_ alias: LookupKey, of item: StoredItem) throws(StoreError) {
        try run(.deleteAlias, .init(alias: alias, item: item.number, isLive: item.isLive), in: item.registry)
    }

    fileprivate func run(_ query: Query, _ row: AliasChanges.Row, in registry: Int64) throws(StoreError) {
        let statement = try statement(query)
        statement.bind(registry, at: 1)
        statement.bind(row.alias.rawValue, at: 2)
        statement.bind(row.isLive ? 1 : 0, at: 3)
        statement.bind(row.item, at: 4)
        try statement.run()
    }

    /// Of live items, up to two.
    fileprivate func itemCount(_ alias: LookupKey, in registry: Int64) throws(StoreError) -> Int {
        let select = try statement(.liveItems)
        select.bind(registry, at: 1)
        select.bind(alias.rawValue, at: 2)
        var count = 0
        while count < 2, try select.step() { count += 1 }
        return count
    }

    /// How many rows it changed.
    fileprivate func change(_ query: Query, _ alias: LookupKey, in registry: Int64) throws(StoreError) -> Int {
        let statement = try statement(query)
        statement.bind(registry, at: 1)
        statement.bind(alias.rawValue, at: 2)
        try statement.run()
        return changedRows
    }
}

extension Query {
    fileprivate static let insertAlias = Query("INSERT INTO alias (registry, key, live, item) VALUES (?1, ?2, ?3, ?4)")
    fileprivate static let deleteAlias = Query(
        "DELETE FROM alias WHERE registry = ?1 AND key = ?2 AND live = ?3 AND item = ?4")
    fileprivate static let liveItems = Query("SELECT 1 FROM alias WHERE registry = ?1 AND key = ?2 AND live = 1")
    fileprivate static let markAmbiguous = Query("INSERT OR IGNORE INTO set_aside (registry, key) VALUES (?1, ?2)")
    fileprivate static let unmarkAmbiguous = Query("DELETE FROM set_aside WHERE registry = ?1 AND key = ?2")
}
