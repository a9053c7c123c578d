extension Schema {
    /// A part of the seventh migration: the restore log (docs/decisions/0077-the-restore-log.md).
    static let restoreLog = """
        CREATE TABLE restore_log (
            -- An id is never assigned again, so that a reader who continues at an id misses no entry.
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            app BLOB NOT NULL,
            -- 0: an answer. 1: a report. 2: a note of the breaker.
            kind INTEGER NOT NULL,
            -- NULL for a note of the breaker.
            user INTEGER REFERENCES user,
            device BLOB,
            at INTEGER NOT NULL,
            -- The further members (LogBytes).
            body BLOB NOT NULL
        ) STRICT;
        CREATE INDEX restore_log_by_app ON restore_log (app, kind, id);
        CREATE INDEX restore_log_by_user ON restore_log (user) WHERE user IS NOT NULL;

        -- The first and the last day, since 1970, on which the log got a report of a successful restore.
        ALTER TABLE user ADD COLUMN first_restore_day INTEGER;
        ALTER TABLE user ADD COLUMN last_restore_day INTEGER;
        """
}
