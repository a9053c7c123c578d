/// The tables that the first migration creates. Tables refer to each other by integers. A unique index finds the row of
/// a domain identifier (docs/decisions/0029-keys-inside-and-outside.md).
///
/// References are declared for people who read the schema and for `findings()`, which checks the references. SQLite
/// does not enforce the references when rows are written. Times are milliseconds since 1970. Identifiers have 16 bytes,
/// and digests have 32 bytes. The most significant byte comes first.
enum Schema {
    static let first = """
        -- One row: the store's own facts.
        CREATE TABLE store (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            -- The latest time that was written. The server's clock does not start earlier.
            latest_time INTEGER,
            -- The key for hashing identifiers and aliases (docs/decisions/0058-lookups-by-a-keyed-hash.md).
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
            -- JSON: the data sources by name. They are not in the settings, because operators replace the settings
            -- as a whole.
            data_sources TEXT NOT NULL DEFAULT '{}'
        ) STRICT;

        CREATE TABLE user (
            id INTEGER PRIMARY KEY,
            app BLOB NOT NULL,
            uuid BLOB NOT NULL,
            -- The last revision that was assigned.
            revision INTEGER NOT NULL DEFAULT 0,
            -- Changes up to this revision may have been pruned.
            pruned_revision INTEGER NOT NULL DEFAULT 0,
            -- The user's newest change, if the user has a change.
            last_change INTEGER,
            UNIQUE (app, uuid)
        ) STRICT;

        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            uuid BLOB NOT NULL UNIQUE,
            user INTEGER NOT NULL REFERENCES user,
            -- The digest of the device's bearer token.
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
            -- The time at which the scene was last forgotten, and the user's revision at this time. Older captures
            -- are refused.
            forgotten_at INTEGER,
            forgotten_revision INTEGER,
            -- The last change that deleted, moved or forgot an archive of the scene. An empty scene has no later
            -- change (docs/decisions/0055-a-bounded-number-of-scenes.md).
            last_removal INTEGER,
            UNIQUE (user, name)
        ) STRICT;
        CREATE INDEX scene_by_removal ON scene (last_removal) WHERE last_removal IS NOT NULL;

        -- A scene's history is stored together and in order. The bytes are stored elsewhere, so the rows are small.
        -- The head is the last row of its scene. A scene has few archives, so finding an archive needs no other index.
        CREATE TABLE archive (
            scene INTEGER NOT NULL REFERENCES scene,
            captured_at INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            uuid BLOB NOT NULL,
            -- The key of the archive's bytes, snapshot, outcomes and servings. A move to another scene keeps this
            -- key.
            content INTEGER NOT NULL REFERENCES content,
            -- The device's own identifier and not its row, so that a list needs no look-up for each archive.
            device BLOB NOT NULL,
            -- The time at which the archive's identifiers were written. captured_at decides the archive's position.
            written_at INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            sequence INTEGER,
            idiom INTEGER NOT NULL,
            layout INTEGER,
            bundle_version TEXT,
            system_version TEXT,
            state_version INTEGER,
            digest BLOB NOT NULL,
            -- The number of uploaded bytes.
            size INTEGER NOT NULL,
            -- The place's titles as netstrings.
            place TEXT NOT NULL,
            object_count INTEGER NOT NULL,
            reference_count INTEGER NOT NULL,
            has_snapshot INTEGER NOT NULL DEFAULT 0,
            has_outcomes INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (scene, captured_at, revision)
        ) STRICT, WITHOUT ROWID;

        -- The archives' bytes, in the order of arrival (docs/decisions/0029-keys-inside-and-outside.md).
        CREATE TABLE content (
            id INTEGER PRIMARY KEY,
            -- 0: the bytes as they were uploaded. 1: compressed bytes.
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

        -- The devices that were served an archive. Only outcomes of these devices count.
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

        -- The changes of all users in the order in which they were made, so that the changes of one commit share a
        -- page. Each change refers to the user's previous change. The user's row refers to the newest change
        -- (docs/decisions/0029-keys-inside-and-outside.md).
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
            UNIQUE (user, data_source, device)
        ) STRICT;
        CREATE INDEX registry_of_nobody ON registry (id) WHERE user IS NULL;

        CREATE TABLE item (
            registry INTEGER NOT NULL REFERENCES registry,
            key INTEGER NOT NULL,
            number INTEGER NOT NULL REFERENCES item_text,
            position INTEGER,
            changed_at INTEGER NOT NULL,
            -- The look-up keys of the aliases. Each key has 8 bytes.
            aliases BLOB,
            -- NULL for a live item.
            removed_at INTEGER,
            replaced_by INTEGER,
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

        CREATE TABLE counter (
            hour INTEGER NOT NULL,
            -- Empty if the count belongs to no app.
            app BLOB NOT NULL,
            name TEXT NOT NULL,
            label TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (hour, app, name, label)
        ) STRICT, WITHOUT ROWID;
        """
}
