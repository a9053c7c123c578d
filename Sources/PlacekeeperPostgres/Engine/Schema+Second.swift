extension Schema {
    /// Version 2: leases, and whether a program of an earlier version may use the tables.
    static let second = [
        // The lowest schema version of a program that may use these tables. During an upgrade, instances of two versions
        // of the program use the database. A migration that an earlier program does not support raises this number.
        "ALTER TABLE store ADD COLUMN usable_from bigint NOT NULL DEFAULT 1",
        // One instance at a time does the work that a lease names.
        """
        CREATE TABLE lease (
            name text COLLATE "C" PRIMARY KEY,
            holder bytea NOT NULL,
            ends_at timestamp with time zone NOT NULL
        )
        """,
    ]
}
