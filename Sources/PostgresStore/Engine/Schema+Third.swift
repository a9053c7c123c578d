extension Schema {
    /// Version 3: fewer indexes. Each upload changes the row of its user, and adds a change.
    static let third = [
        // No query used this index. Without it, a new version of a user's row needs no new entries of indexes.
        "DROP INDEX users_by_time",
        // A new change has no position, so it needs no entry.
        "DROP INDEX change_by_position",
        "CREATE UNIQUE INDEX change_by_position ON change (position) WHERE position IS NOT NULL",
    ]
}
