extension Schema {
    /// Version 3: other indexes. Each upload changes the row of its user, and adds a change.
    ///
    /// New indexes come first: while they are built, only writes wait. Dropping an index also keeps reads out, until the
    /// end of the migration.
    static let third = [
        // A new change has no position, so it needs no entry.
        "CREATE UNIQUE INDEX change_of_position ON change (position) WHERE position IS NOT NULL",
        // All ordinals are greater than 0. But only a query that says so uses this index: without statistics, the database
        // would otherwise use it for look-ups of keys, and scan a whole list for each key.
        "CREATE INDEX item_of_ordinal ON item (app, owner, registry, ordinal) WHERE ordinal > 0",
        // No query used this index. Without it, a new version of a user's row needs no new entries of indexes.
        "DROP INDEX users_by_time", "DROP INDEX change_by_position", "DROP INDEX item_by_ordinal",
    ]
}
