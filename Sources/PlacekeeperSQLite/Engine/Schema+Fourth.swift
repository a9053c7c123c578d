extension Schema {
    /// The fourth migration. After this migration, a user may have a subject, a device may have several tokens, an
    /// installation is recorded, and a link code remembers the device that used it. The usage of users and apps is counted.
    static let fourth = """
        -- The time at which the user was created. 0 if the user was created before this migration.
        ALTER TABLE user ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
        -- The subject, sealed. NULL for an anonymous user.
        ALTER TABLE user ADD COLUMN subject BLOB;
        -- The keyed hash of the subject.
        ALTER TABLE user ADD COLUMN subject_digest BLOB;
        CREATE UNIQUE INDEX user_by_subject ON user (app, subject_digest) WHERE subject_digest IS NOT NULL;

        -- The bearer tokens of devices. A device has at most one token without an end for each kind of access.
        CREATE TABLE token (
            digest BLOB PRIMARY KEY,
            device INTEGER NOT NULL REFERENCES device,
            -- 0: full access. 1: read-only access.
            access INTEGER NOT NULL,
            -- NULL if the token has no end.
            expires_at INTEGER
        ) STRICT, WITHOUT ROWID;

        -- The table is made again without the column token.
        CREATE TABLE device_after (
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
        INSERT INTO device_after
        SELECT id, uuid, user, idiom, model, name, NULL, created_at, last_seen_at, joined_revision FROM device;
        INSERT INTO token SELECT token, id, 0, NULL FROM device;
        DROP TABLE device;
        ALTER TABLE device_after RENAME TO device;
        CREATE INDEX device_by_user ON device (user);
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

        -- The device that used the code. NULL if the code is unused. The device may present the code again until it
        -- expires, because the device may have missed the first answer.
        ALTER TABLE link_code ADD COLUMN used_by BLOB;

        -- Who did what to which user's data. Rows are only added, and dropped after 400 days.
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY,
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

        -- The bytes of the texts of the registration's items.
        ALTER TABLE registry ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
        UPDATE registry SET bytes = coalesce((
            SELECT sum(length(texts)) FROM item CROSS JOIN item_text ON item_text.number = item.number
            WHERE item.registry = registry.id), 0);
        -- The bytes of the user's archives as they were uploaded, of the snapshots, and of the texts of the items.
        ALTER TABLE user ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE user ADD COLUMN archives INTEGER NOT NULL DEFAULT 0;
        UPDATE user SET (bytes, archives) = (
            SELECT coalesce(sum(
                    archive.size + iif(
                        has_snapshot, (SELECT length(bytes) FROM snapshot WHERE content = archive.content), 0)), 0)
                + (SELECT coalesce(sum(registry.bytes), 0) FROM registry WHERE registry.user = user.id), count(*)
            FROM scene CROSS JOIN archive ON archive.scene = scene.id WHERE scene.user = user.id);

        -- The usage of each app: the sums over its users.
        CREATE TABLE app_usage (
            app BLOB PRIMARY KEY,
            bytes INTEGER NOT NULL,
            archives INTEGER NOT NULL,
            devices INTEGER NOT NULL,
            users INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO app_usage
        SELECT app, sum(bytes), sum(archives), sum((SELECT count(*) FROM device WHERE device.user = user.id)), count(*)
        FROM user GROUP BY app;

        -- The time of the change last_removal.
        ALTER TABLE scene ADD COLUMN removed_at INTEGER;
        UPDATE scene SET removed_at = coalesce((SELECT at FROM change WHERE change.id = last_removal), 0)
        WHERE last_removal IS NOT NULL;
        CREATE INDEX audit_by_subject ON audit (app, subject, id) WHERE subject IS NOT NULL;
        """
}
