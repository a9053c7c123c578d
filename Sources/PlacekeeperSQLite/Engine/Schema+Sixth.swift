extension Schema {
    /// The sixth migration. After this migration, the service has administrators (docs/decisions/0075-administrators.md).
    /// An entry of the audit log whose app has no bytes concerns the whole service.
    static let sixth = """
        CREATE TABLE administrator (
            id INTEGER PRIMARY KEY,
            uuid BLOB NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL,
            password_salt BLOB NOT NULL,
            -- The scrypt key of the password.
            password_key BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            last_seen_at INTEGER
        ) STRICT;

        CREATE TABLE admin_session (
            -- The digest of the session's secret.
            digest BLOB PRIMARY KEY,
            administrator INTEGER NOT NULL REFERENCES administrator,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX admin_session_by_administrator ON admin_session (administrator);

        CREATE TABLE api_token (
            uuid BLOB PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE,
            label TEXT NOT NULL,
            role TEXT NOT NULL,
            -- The administrator who made the token. NULL if a command made the token.
            administrator INTEGER REFERENCES administrator,
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            last_used_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX api_token_by_administrator ON api_token (administrator) WHERE administrator IS NOT NULL;
        """
}
