extension Schema {
    /// The changes since 0.1.0. The next release ends them. `Segments.takeIn` runs before them.
    static let next = """
        -- Rises with each write that changes the rows that a state in memory shows.
        ALTER TABLE user ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX link_code_by_user ON link_code (user);

        ALTER TABLE content DROP COLUMN segment;
        ALTER TABLE content DROP COLUMN position;
        ALTER TABLE content DROP COLUMN size;
        DROP TABLE freed;
        DROP TABLE segment;
        ALTER TABLE store DROP COLUMN last_segment;
        """
}
