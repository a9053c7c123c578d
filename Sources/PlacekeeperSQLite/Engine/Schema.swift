/// The tables of 0.1.0. They refer to each other by integer; a unique index finds the row of a domain identifier
/// (docs/decisions/0029-keys-inside-and-outside.md).
///
/// References are declared for readers of the schema and for `findings()`, which checks them; SQLite doesn't enforce
/// them on writes. Times are milliseconds since 1970. Identifiers have 16 bytes and digests 32, most significant byte
/// first.
enum Schema {
    static let first = users + archives + items + logs

    private static let users = """
        -- One row: the store's own facts.
        CREATE TABLE store (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            -- The key for hashing identifiers and aliases (docs/decisions/0058-lookups-by-a-keyed-hash.md).
            lookup_secret BLOB NOT NULL,
            -- The number of the last registration. Pruning detaches registrations by numbers that it read
            -- earlier, so no number is assigned twice.
            last_registry INTEGER NOT NULL DEFAULT 0,
            -- The greatest number of a segment so far. A committed number is not used again.
            last_segment INTEGER NOT NULL DEFAULT 0
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

        -- The usage of each app: the sums over its users.
        CREATE TABLE app_usage (
            app BLOB PRIMARY KEY,
            bytes INTEGER NOT NULL,
            archives INTEGER NOT NULL,
            devices INTEGER NOT NULL,
            users INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

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
            -- The latest time that a write for the user stored. NULL if no write for the user stored a time. A later write
            -- never lowers it.
            latest_time INTEGER,
            -- 0 if it is not known.
            created_at INTEGER NOT NULL DEFAULT 0,
            -- The subject, sealed. NULL for an anonymous user.
            subject BLOB,
            -- The keyed hash of the subject.
            subject_digest BLOB,
            -- The bytes of the user's archives as they were uploaded, of the snapshots, and of the texts of the items.
            bytes INTEGER NOT NULL DEFAULT 0,
            archives INTEGER NOT NULL DEFAULT 0,
            -- The first and the last day, since 1970, on which the restore log got a report of a successful restore.
            first_restore_day INTEGER,
            last_restore_day INTEGER,
            UNIQUE (app, uuid)
        ) STRICT;
        CREATE UNIQUE INDEX user_by_subject ON user (app, subject_digest) WHERE subject_digest IS NOT NULL;

        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            uuid BLOB NOT NULL UNIQUE,
            user INTEGER NOT NULL REFERENCES user,
            idiom INTEGER NOT NULL,
            model TEXT,
            name TEXT,
            system_version TEXT,
            created_at INTEGER NOT NULL,
            last_seen_at INTEGER NOT NULL,
            -- The user's revision when the device moved to this user from another user. 0 if the device never moved.
            -- An archive that the device restored before the move has a revision of the former user. Such a revision
            -- is not greater than this revision.
            joined_revision INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX device_by_user ON device (user);

        -- The bearer tokens of devices. A device has at most one token without an end for each kind of access.
        CREATE TABLE token (
            digest BLOB PRIMARY KEY,
            device INTEGER NOT NULL REFERENCES device,
            -- 0: full access. 1: read-only access.
            access INTEGER NOT NULL,
            -- NULL if the token has no end.
            expires_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX token_by_device ON token (device);
        CREATE INDEX token_by_expiry ON token (expires_at) WHERE expires_at IS NOT NULL;

        -- The installations of apps. A client may register again with the same id and secret, and gets the same device.
        CREATE TABLE installation (
            app BLOB NOT NULL,
            uuid BLOB NOT NULL,
            -- The digest of the secret.
            secret BLOB NOT NULL,
            device INTEGER NOT NULL REFERENCES device,
            PRIMARY KEY (app, uuid)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX installation_by_device ON installation (device);

        CREATE TABLE link_code (
            digest BLOB PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user,
            expires_at INTEGER NOT NULL,
            -- The device that used the code. NULL if the code is unused. The device may present the code again until it
            -- expires, because the device may have missed the first answer.
            used_by BLOB
        ) STRICT, WITHOUT ROWID;
        """

    private static let archives = """

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
            -- The time of this change.
            removed_at INTEGER,
            UNIQUE (user, name)
        ) STRICT;
        CREATE INDEX scene_by_removal ON scene (last_removal) WHERE last_removal IS NOT NULL;

        -- A scene's history is stored together and in order. The bytes are stored elsewhere, so the rows are small.
        -- The head is the last row of its scene. A scene has few archives, so finding an archive needs no other index.
        CREATE TABLE archive (
            scene INTEGER NOT NULL REFERENCES scene,
            captured_at INTEGER NOT NULL,
            -- The revision that decides the order among captures of the same time.
            order_revision INTEGER NOT NULL,
            -- -1 if the client did not send it.
            sequence INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            uuid BLOB NOT NULL,
            -- The key of the archive's bytes, snapshot, outcomes and servings. A move to another scene keeps this
            -- key.
            content INTEGER NOT NULL REFERENCES content,
            -- The device's own identifier and not its row, so that a list needs no lookup for each archive.
            device BLOB NOT NULL,
            -- The time at which the archive's identifiers were written. captured_at decides the archive's position.
            written_at INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
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
            -- Whether the archive's outcomes allow serving it to its own device.
            is_servable INTEGER NOT NULL DEFAULT 1,
            -- Whether the device restored the state, and the user did not interact since.
            is_glance INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (scene, captured_at, order_revision, sequence, revision)
        ) STRICT, WITHOUT ROWID;

        -- The archives that an administrator deleted, and whose deletion can be undone
        -- (docs/decisions/0078-a-deletion-can-be-undone.md): the columns of archive, and the time of the deletion. The
        -- content, the snapshot, the outcomes and the servings of such an archive stay. Each of these archives has a
        -- tombstone with the same time.
        CREATE TABLE deleted_archive (
            scene INTEGER NOT NULL REFERENCES scene,
            uuid BLOB NOT NULL,
            deleted_at INTEGER NOT NULL,
            captured_at INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            content INTEGER NOT NULL REFERENCES content,
            device BLOB NOT NULL,
            written_at INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            sequence INTEGER,
            idiom INTEGER NOT NULL,
            layout INTEGER,
            bundle_version TEXT,
            system_version TEXT,
            state_version INTEGER,
            digest BLOB NOT NULL,
            size INTEGER NOT NULL,
            place TEXT NOT NULL,
            object_count INTEGER NOT NULL,
            reference_count INTEGER NOT NULL,
            has_snapshot INTEGER NOT NULL,
            has_outcomes INTEGER NOT NULL,
            is_servable INTEGER NOT NULL,
            order_revision INTEGER NOT NULL DEFAULT 0,
            is_glance INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (scene, uuid)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX deleted_archive_by_time ON deleted_archive (deleted_at);

        -- The archives' bytes, in the order of arrival (docs/decisions/0029-keys-inside-and-outside.md).
        CREATE TABLE content (
            id INTEGER PRIMARY KEY,
            -- 0: the bytes as they were uploaded. 1: compressed bytes.
            encoding INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            -- The place of the bytes in a segment. NULL if `bytes` has the bytes. Otherwise `bytes` is empty.
            segment INTEGER REFERENCES segment,
            position INTEGER,
            size INTEGER
        ) STRICT;

        -- The files beside the database that have the bytes of larger archives.
        CREATE TABLE segment (
            number INTEGER PRIMARY KEY,
            -- The end of the committed bytes. After a crash the file may be longer.
            size INTEGER NOT NULL,
            -- The bytes of all blocks that contents use.
            used INTEGER NOT NULL
        ) STRICT;

        -- The places of removed contents whose bytes are not erased yet.
        CREATE TABLE freed (
            segment INTEGER NOT NULL REFERENCES segment,
            position INTEGER NOT NULL,
            size INTEGER NOT NULL,
            PRIMARY KEY (segment, position)
        ) STRICT, WITHOUT ROWID;

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

        -- The last archive of a scene that was served to each of the user's devices. Retention keeps this archive.
        CREATE TABLE served_last (
            scene INTEGER NOT NULL REFERENCES scene,
            device BLOB NOT NULL,
            content INTEGER NOT NULL REFERENCES content,
            PRIMARY KEY (scene, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX served_last_by_content ON served_last (content);

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
            -- The id of the launch of the app in which the device restored. NULL if the device did not give it.
            launch TEXT,
            -- The restoration path of the object whose restore failed.
            path TEXT,
            -- The index of the place's step that failed, or that the restore reached.
            step INTEGER,
            -- The time that the restore took, in milliseconds.
            duration INTEGER,
            PRIMARY KEY (content, number)
        ) STRICT, WITHOUT ROWID;

        -- The changes of all users in the order in which they were made, so that the changes of one commit share a
        -- page. Each change refers to the user's previous change. The user's row refers to the newest change. An index by
        -- user and revision would cost each upload 7 to 9 microseconds and twice the written bytes, because the leaf of
        -- each user is another page.
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
        """
}
