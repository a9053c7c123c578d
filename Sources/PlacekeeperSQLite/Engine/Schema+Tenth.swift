extension Schema {
    /// The tenth migration. After this migration, a user has a version, which shows whether a state in memory is the newest.
    static let tenth = """
        -- Rises with each write that changes the rows that a state in memory shows.
        ALTER TABLE user ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX link_code_by_user ON link_code (user);
        """
}
