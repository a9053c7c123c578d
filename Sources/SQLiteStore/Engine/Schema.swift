/// The tables, as the first migration makes them. What never changes: rows are found by integers inside, by the
/// domain's identifiers through one unique index outside (docs/decisions/0029-keys-inside-and-outside.md).
///
/// References are declared for the reader and for `verify()`, which checks them; they are not enforced on each write.
/// Times are milliseconds since 1970, identifiers 16 bytes, digests 32, the most significant byte first.
enum Schema {
    static let first = """
        -- One row: what the store knows of itself.
        CREATE TABLE store (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            -- The latest time that was written: the clock starts no earlier.
            latest_time INTEGER,
            -- What identifiers and aliases are hashed with (docs/decisions/0058-lookups-by-a-keyed-hash.md).
            lookup_secret BLOB NOT NULL
        ) STRICT;
        INSERT INTO store (id, lookup_secret) VALUES (1, randomblob(32));

        CREATE TABLE app (
            id INTEGER PRIMARY KEY,
            uuid BLOB NOT NULL UNIQUE,
            bundle_identifier TEXT NOT NULL UNIQUE,
            publishable_key TEXT NOT NULL UNIQUE,
            created_at INTEGER NOT NULL,
            -- JSON, so that a new setting needs no migration.
            settings TEXT NOT NULL,
            -- JSON: by name. Apart from the settings, which operators replace as a whole.
            data_sources TEXT NOT NULL DEFAULT '{}'
        ) STRICT;

        CREATE TABLE user (
            id INTEGER PRIMARY KEY,
            app BLOB NOT NULL,
            uuid BLOB NOT NULL,
            -- The last revision that was given.
            revision INTEGER NOT NULL DEFAULT 0,
            -- Changes up to this one may have been pruned.
            pruned_revision INTEGER NOT NULL DEFAULT 0,
            -- The newest of the user's changes, if it has any.
            last_change INTEGER,
            UNIQUE (app, uuid)
        ) STRICT;

        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            uuid BLOB NOT NULL UNIQUE,
            user INTEGER NOT NULL REFERENCES user,
            -- The digest of its bearer token.
            token BLOB NOT NULL UNIQUE,
            idiom INTEGER NOT NULL,
            model TEXT,
            name TEXT,
            created_at INTEGER NOT NULL,
            last_seen_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX device_by_user ON device (user);

        CREATE TABLE link_code (
            digest BLOB PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE scene (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user,
            name TEXT NOT NULL,
            -- When it was last forgotten, and the user's revision then: older captures are refused.
            forgotten_at INTEGER,
            forgotten_revision INTEGER,
            -- The change that last deleted, moved or forgot an archive of it: of a scene that holds none there is no later
            -- one (docs/decisions/0054-an-empty-scene-goes-with-its-last-change.md).
            last_removal INTEGER,
            UNIQUE (user, name)
        ) STRICT;
        CREATE INDEX scene_by_removal ON scene (last_removal) WHERE last_removal IS NOT NULL;

        -- A scene's history lies together and in order, in rows that are small since the bytes lie elsewhere: the head
        -- is the last row of its scene. They are few: an archive is found among them without an index of its own.
        CREATE TABLE archive (
            scene INTEGER NOT NULL REFERENCES scene,
            captured_at INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            uuid BLOB NOT NULL,
            -- By which the bytes and all else of the archive are found, whatever scene it is moved to.
            content INTEGER NOT NULL REFERENCES content,
            -- The device's identifier itself, so that a list needs no look-up for each row.
            device BLOB NOT NULL,
            -- When its identifiers were; captured_at is its place in the order.
            written_at INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            sequence INTEGER,
            idiom INTEGER NOT NULL,
            layout INTEGER,
            bundle_version TEXT,
            system_version TEXT,
            state_version INTEGER,
            digest BLOB NOT NULL,
            -- Of the bytes as they were uploaded.
            size INTEGER NOT NULL,
            -- The place's titles as netstrings.
            place TEXT NOT NULL,
            object_count INTEGER NOT NULL,
            reference_count INTEGER NOT NULL,
            has_snapshot INTEGER NOT NULL DEFAULT 0,
            has_outcomes INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (scene, captured_at, revision)
        ) STRICT, WITHOUT ROWID;

        -- Archives' bytes, appended in the order of arrival (docs/decisions/0030-archives-bytes.md).
        CREATE TABLE content (
            id INTEGER PRIMARY KEY,
            -- 0: as uploaded. 1: compressed.
            encoding INTEGER NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;

        CREATE TABLE snapshot (
            content INTEGER PRIMARY KEY REFERENCES content,
            format TEXT NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;

        CREATE TABLE tombstone (
            scene INTEGER NOT NULL REFERENCES scene,
            uuid BLOB NOT NULL,
            deleted_at INTEGER NOT NULL,
            PRIMARY KEY (scene, uuid)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tombstone_by_time ON tombstone (deleted_at);

        -- Which devices were served an archive: only theirs are the outcomes that count.
        CREATE TABLE served (
            content INTEGER NOT NULL REFERENCES content,
            device BLOB NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (content, device)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE outcome (
            content INTEGER NOT NULL REFERENCES content,
            number INTEGER NOT NULL,
            device BLOB NOT NULL,
            result TEXT NOT NULL,
            idiom INTEGER NOT NULL,
            layout INTEGER,
            bundle_version TEXT,
            system_version TEXT,
            state_version INTEGER,
            reported_at INTEGER NOT NULL,
            PRIMARY KEY (content, number)
        ) STRICT, WITHOUT ROWID;

        -- All users' changes in the order in which they were made, so that those of one commit share a page. Each leads
        -- to the one before it of its user, the newest from the user's row (docs/decisions/0048).
        CREATE TABLE change (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user,
            revision INTEGER NOT NULL,
            previous INTEGER,
            kind TEXT NOT NULL,
            scene INTEGER REFERENCES scene,
            archive BLOB,
            device BLOB,
            at INTEGER NOT NULL
        ) STRICT;

        -- What one device registered of a data source. Everything of it is found by its number, so that a delta touches
        -- few pages however many others there are (docs/decisions/0059-items-lie-with-their-device.md).
        CREATE TABLE registry (
            id INTEGER PRIMARY KEY,
            -- nil when nobody asks for it any more: its items are dropped in small steps.
            user INTEGER REFERENCES user,
            data_source TEXT NOT NULL,
            device BLOB NOT NULL,
            cursor INTEGER NOT NULL DEFAULT 0,
            digest BLOB NOT NULL,
            count INTEGER NOT NULL DEFAULT 0,
            -- Rows of set_aside.
            set_aside INTEGER NOT NULL DEFAULT 0,
            -- Items that were removed.
            removed INTEGER NOT NULL DEFAULT 0,
            UNIQUE (user, data_source, device)
        ) STRICT;
        CREATE INDEX registry_of_nobody ON registry (id) WHERE user IS NULL;

        CREATE TABLE item (
            registry INTEGER NOT NULL REFERENCES registry,
            key INTEGER NOT NULL,
            number INTEGER NOT NULL REFERENCES item_text,
            position INTEGER,
            changed_at INTEGER NOT NULL,
            -- Keys, 8 bytes each.
            aliases BLOB,
            -- nil when it is live.
            removed_at INTEGER,
            replaced_by INTEGER,
            PRIMARY KEY (registry, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX item_by_position ON item (registry, position) WHERE position IS NOT NULL AND removed_at IS NULL;
        CREATE INDEX item_by_removal ON item (removed_at) WHERE removed_at IS NOT NULL;
        -- Of one registry the oldest, of which there may be too many.
        CREATE INDEX removal_of_registry ON item (registry, removed_at) WHERE removed_at IS NOT NULL;

        -- What an item is called, which few questions need and which is long: in the order of registration.
        CREATE TABLE item_text (
            number INTEGER PRIMARY KEY,
            key INTEGER NOT NULL,
            -- Sealed.
            texts BLOB NOT NULL
        ) STRICT;

        CREATE TABLE alias (
            registry INTEGER NOT NULL REFERENCES registry,
            key INTEGER NOT NULL,
            -- Whether its bearer is live, 1, or a tombstone, 0.
            live INTEGER NOT NULL,
            item INTEGER NOT NULL REFERENCES item_text,
            PRIMARY KEY (registry, key, live, item)
        ) STRICT, WITHOUT ROWID;

        -- Aliases that two live items of a registry bear.
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

        CREATE TABLE counter (
            hour INTEGER NOT NULL,
            -- Empty when the count is of no app.
            app BLOB NOT NULL,
            name TEXT NOT NULL,
            label TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (hour, app, name, label)
        ) STRICT, WITHOUT ROWID;
        """
}
