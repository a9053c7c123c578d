extension Schema {
    /// The third migration. This migration stores a latest time for each user, instead of one latest time for all users
    /// (docs/decisions/0023-two-clocks.md).
    static let third = """
        -- The latest time that a write for the user stored. NULL if no write for the user stored a time. A later write
        -- never lowers it.
        ALTER TABLE user ADD COLUMN latest_time INTEGER;
        UPDATE user SET latest_time = (SELECT latest_time FROM store);

        -- The table is made again without latest_time. DROP COLUMN would leave the column's comment in the schema.
        CREATE TABLE store_after (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            -- The key for hashing identifiers and aliases (docs/decisions/0058-lookups-by-a-keyed-hash.md).
            lookup_secret BLOB NOT NULL,
            -- The number of the last registration. Pruning detaches registrations by numbers that it read
            -- earlier, so no number is assigned twice.
            last_registry INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        INSERT INTO store_after SELECT id, lookup_secret, last_registry FROM store;
        DROP TABLE store;
        ALTER TABLE store_after RENAME TO store;
        """
}
