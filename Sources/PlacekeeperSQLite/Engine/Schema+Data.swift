extension Schema {
    static let items = """

        -- The registration of one device for a data source. Items are found by the registration's number, so a delta
        -- touches few pages, regardless of the number of other registrations
        -- (docs/decisions/0059-items-lie-with-their-device.md).
        CREATE TABLE registry (
            id INTEGER PRIMARY KEY,
            -- NULL if nothing needs the registration any more. The items of such a registration are deleted in small
            -- steps.
            user INTEGER REFERENCES user,
            data_source TEXT NOT NULL,
            device BLOB NOT NULL,
            cursor INTEGER NOT NULL DEFAULT 0,
            digest BLOB NOT NULL,
            count INTEGER NOT NULL DEFAULT 0,
            -- The number of rows of set_aside.
            set_aside INTEGER NOT NULL DEFAULT 0,
            -- The number of removed items.
            removed INTEGER NOT NULL DEFAULT 0,
            -- The bytes of the texts of the registration's items.
            bytes INTEGER NOT NULL DEFAULT 0,
            UNIQUE (user, data_source, device)
        ) STRICT;
        CREATE INDEX registry_of_nobody ON registry (id) WHERE user IS NULL;

        CREATE TABLE item (
            registry INTEGER NOT NULL REFERENCES registry,
            key INTEGER NOT NULL,
            number INTEGER NOT NULL REFERENCES item_text,
            position INTEGER,
            changed_at INTEGER NOT NULL,
            -- The lookup keys of the aliases. Each key has 8 bytes.
            aliases BLOB,
            -- NULL for a live item.
            removed_at INTEGER,
            replaced_by INTEGER,
            -- Since when the identifier names the item. NULL if it is `changed_at`.
            since INTEGER,
            -- 1 if the identifier named another item before.
            is_reuse INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (registry, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX item_by_position ON item (registry, position) WHERE position IS NOT NULL AND removed_at IS NULL;
        CREATE INDEX item_by_removal ON item (removed_at) WHERE removed_at IS NOT NULL;
        -- For deleting the oldest removed items of a registration that has too many removed items.
        CREATE INDEX removal_of_registry ON item (registry, removed_at) WHERE removed_at IS NOT NULL;

        -- The items' texts, in the order of registration. The texts are long, and few queries need them.
        CREATE TABLE item_text (
            number INTEGER PRIMARY KEY,
            key INTEGER NOT NULL,
            -- Sealed.
            texts BLOB NOT NULL
        ) STRICT;

        CREATE TABLE alias (
            registry INTEGER NOT NULL REFERENCES registry,
            key INTEGER NOT NULL,
            -- 1 if the item is live, 0 if it is removed.
            live INTEGER NOT NULL,
            item INTEGER NOT NULL REFERENCES item_text,
            PRIMARY KEY (registry, key, live, item)
        ) STRICT, WITHOUT ROWID;

        -- The ambiguous aliases. An alias is ambiguous if two live items of the registration have it.
        CREATE TABLE set_aside (
            registry INTEGER NOT NULL REFERENCES registry,
            key INTEGER NOT NULL,
            PRIMARY KEY (registry, key)
        ) STRICT, WITHOUT ROWID;

        -- Operators' decisions.
        CREATE TABLE link (
            user INTEGER NOT NULL REFERENCES user,
            data_source TEXT NOT NULL,
            first_device BLOB NOT NULL,
            first_key INTEGER NOT NULL,
            second_device BLOB NOT NULL,
            second_key INTEGER NOT NULL,
            kind TEXT NOT NULL,
            note TEXT NOT NULL,
            at INTEGER NOT NULL,
            -- Sealed.
            first_texts BLOB NOT NULL,
            second_texts BLOB NOT NULL,
            PRIMARY KEY (user, data_source, first_device, first_key, second_device, second_key)
        ) STRICT, WITHOUT ROWID;
        """

    static let logs = """

        CREATE TABLE counter (
            hour INTEGER NOT NULL,
            -- Empty if the count belongs to no app.
            app BLOB NOT NULL,
            name TEXT NOT NULL,
            label TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (hour, app, name, label)
        ) STRICT, WITHOUT ROWID;

        -- Who did what to which user's data. Rows are only added, and dropped after 400 days.
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY,
            -- Empty if the entry concerns the whole service.
            app BLOB NOT NULL,
            at INTEGER NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            -- The keyed hash of the user's subject, or of the user's id if the user is anonymous. NULL if the action
            -- concerns no user.
            subject BLOB,
            detail TEXT NOT NULL
        ) STRICT;
        CREATE INDEX audit_by_app ON audit (app, id);
        CREATE INDEX audit_by_subject ON audit (app, subject, id) WHERE subject IS NOT NULL;

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
