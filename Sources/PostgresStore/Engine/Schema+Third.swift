extension Schema {
    /// Version 3: other indexes. Each upload changes the row of its user, and adds a change.
    static let third = [
        // No query used this index. Without it, a new version of a user's row needs no new entries of indexes.
        "DROP INDEX users_by_time",
        // A new change has no position, so it needs no entry.
        "DROP INDEX change_by_position",
        "CREATE UNIQUE INDEX change_by_position ON change (position) WHERE position IS NOT NULL",
        // All ordinals are greater than 0. But only a query that says so uses this index: without statistics, the database
        // would else take it for look-ups of keys, and scan a whole list for each key.
        "DROP INDEX item_by_ordinal",
        "CREATE INDEX item_by_ordinal ON item (app, owner, registry, ordinal) WHERE ordinal > 0",
    ]
}
