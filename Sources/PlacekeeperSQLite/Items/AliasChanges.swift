import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

/// The changes of a delta to the alias index.
struct AliasChanges {
    /// A row of the index.
    fileprivate struct Row: Hashable {
        var alias: LookupKey
        var item: Int64
        var isLive: Bool

        init(_ alias: LookupKey, of item: StoredItem) {
            self.alias = alias
            self.item = item.ordinal
            isLive = item.isLive
        }

        /// The order of rows in the index.
        static func isBefore(_ one: Row, _ other: Row) -> Bool {
            (one.alias.rawValue, one.isLive ? 1 : 0, one.item) < (
                other.alias.rawValue, other.isLive ? 1 : 0, other.item
            )
        }
    }

    private var taken: [Row] = []
    private var given: [Row] = []

    /// Records that an item's rows in the index must be replaced. A removed item keeps its rows, because its aliases
    /// still resolve references. They don't make another item's alias ambiguous.
    mutating func change(from before: StoredItem?, to item: StoredItem) {
        if let before {
            for alias in before.aliases { taken.append(Row(alias, of: before)) }
        }
        for alias in item.aliases { given.append(Row(alias, of: item)) }
    }

    /// Writes the changes in index order, so each row is close to the previous one.
    /// - Returns: the change in the number of ambiguous aliases; negative if it falls.
    func carryOut(on stored: StoredRegistry, _ connection: Connection) throws(StoreError) -> Int {
        // Unchanged rows aren't written.
        let kept = taken.isEmpty ? [] : Set(taken).intersection(given)
        let rows = (taken.map { (row: $0, isGiven: false) } + given.map { (row: $0, isGiven: true) })
            .filter { !kept.contains($0.row) }
            .sorted { Row.isBefore($0.row, $1.row) }
        var rise = 0
        var isLive = false
        for (index, (row, isGiven)) in rows.enumerated() {
            try connection.run(isGiven ? .insertAlias : .deleteAlias, row, in: stored.row)
            isLive = isLive || row.isLive
            // Write all changes of an alias before checking whether it is ambiguous.
            if index + 1 < rows.count, rows[index + 1].row.alias == row.alias { continue }
            if isLive { rise += try reconsider(row.alias, in: stored, connection) }
            isLive = false
        }
        return rise
    }

    /// Marks an alias as ambiguous if at least two live items have it, and unmarks it otherwise. Returns the change in
    /// the number of ambiguous aliases.
    private func reconsider(
        _ alias: LookupKey, in stored: StoredRegistry, _ connection: Connection
    ) throws(StoreError) -> Int {
        if try connection.itemCount(alias, in: stored.row) > 1 {
            return try connection.change(.markAmbiguous, alias, in: stored.row)
        }
        guard stored.registry.ambiguousAliasCount > 0 else { return 0 }
        return -(try connection.change(.unmarkAmbiguous, alias, in: stored.row))
    }
}

extension Connection {
    /// Deletes an alias of a live or removed item.
    func delete(_ alias: LookupKey, of item: StoredItem, in registry: Int64) throws(StoreError) {
        try run(.deleteAlias, .init(alias, of: item), in: registry)
    }

    fileprivate func run(_ query: Query, _ row: AliasChanges.Row, in registry: Int64) throws(StoreError) {
        try run(query, registry, row.alias.rawValue, row.isLive ? 1 : 0, row.item)
    }

    /// For each alias, returns the number of live items that have it, at most 2. `registry` is `nil` if there is no
    /// registration.
    func itemCounts(_ aliases: [LookupKey], in registry: Int64?) throws(StoreError) -> [Int] {
        var counts = [Int](repeating: 0, count: aliases.count)
        guard let registry else { return counts }
        for index in aliases.inOrder { counts[index] = try itemCount(aliases[index], in: registry) }
        return counts
    }

    /// Returns the number of live items that have an alias, at most 2.
    fileprivate func itemCount(_ alias: LookupKey, in registry: Int64) throws(StoreError) -> Int {
        let select = try statement(.liveItems, registry, alias.rawValue)
        var count = 0
        while count < 2, try select.step() { count += 1 }
        return count
    }

    /// Returns the number of changed rows.
    fileprivate func change(_ query: Query, _ alias: LookupKey, in registry: Int64) throws(StoreError) -> Int {
        try run(query, registry, alias.rawValue)
        return changedRows
    }
}

extension Query {
    fileprivate static let insertAlias = Query("INSERT INTO alias (registry, key, live, item) VALUES (?1, ?2, ?3, ?4)")
    fileprivate static let deleteAlias = Query(
        "DELETE FROM alias WHERE registry = ?1 AND key = ?2 AND live = ?3 AND item = ?4")
    fileprivate static let liveItems = Query("SELECT 1 FROM alias WHERE registry = ?1 AND key = ?2 AND live = 1")
    fileprivate static let markAmbiguous = Query(
        "INSERT OR IGNORE INTO ambiguous_alias (registry, key) VALUES (?1, ?2)")
    fileprivate static let unmarkAmbiguous = Query("DELETE FROM ambiguous_alias WHERE registry = ?1 AND key = ?2")
}
