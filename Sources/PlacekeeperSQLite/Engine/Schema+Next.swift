import PlacekeeperCore

extension Schema {
    static let newContent = """
        CREATE TABLE IF NOT EXISTS new_content (
            id INTEGER PRIMARY KEY,
            -- 0: the bytes as they were uploaded. 1: compressed bytes.
            encoding INTEGER NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;
        """
    /// Fills the index of heads from the archives.
    static let indexHeads = """
        INSERT INTO device_head
        SELECT scene.user, max(archive.captured_at) >> \(HeadChange.periodBits), archive.scene, archive.device
        FROM scene CROSS JOIN archive ON archive.scene = scene.id
        """
    static let ofEachHead = "GROUP BY archive.scene, archive.device"
    /// The changes since 0.1.0. The next release makes them final. `Segments.takeIn` runs before them.
    ///
    /// `content` is copied to a new table, because SQLite would rewrite the old one for each dropped column.
    static let next = """
        -- Rises with each write that changes the rows that a state in memory shows.
        ALTER TABLE user ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX link_code_by_user ON link_code (user);
        -- The user's revision when the device last registered again or was imported, or moved after that. 0 if it did not.
        -- Only the sequences of captures with later revisions are compared.
        ALTER TABLE device ADD COLUMN counts_since INTEGER NOT NULL DEFAULT 0;
        -- The last launch of the device's app. NULL for a device that does not count its launches.
        ALTER TABLE device ADD COLUMN launch_number INTEGER;
        ALTER TABLE device ADD COLUMN launch TEXT;

        ALTER TABLE archive RENAME COLUMN is_glance TO is_view_only;
        ALTER TABLE archive RENAME COLUMN has_snapshot TO has_screenshot;
        ALTER TABLE deleted_archive RENAME COLUMN is_glance TO is_view_only;
        ALTER TABLE deleted_archive RENAME COLUMN has_snapshot TO has_screenshot;
        ALTER TABLE snapshot RENAME TO screenshot;
        ALTER TABLE registry RENAME COLUMN set_aside TO ambiguous;
        ALTER TABLE set_aside RENAME TO ambiguous_alias;
        UPDATE app SET
            settings = replace(settings, '"allowsSnapshots":', '"allowsScreenshots":'),
            data_sources = replace(replace(
                data_sources, '"selectsNeighbours":true', '"selectsNeighbors":true'),
                '"selectsNeighbours":false', '"selectsNeighbors":false');

        -- For each device and each scene in which the device has archives, the period in which the newest of them was
        -- captured (`HeadChange`), so that a page of places reads only its own archives.
        CREATE TABLE device_head (
            user INTEGER NOT NULL REFERENCES user,
            period INTEGER NOT NULL,
            scene INTEGER NOT NULL REFERENCES scene,
            device BLOB NOT NULL,
            PRIMARY KEY (user, period, scene, device)
        ) STRICT, WITHOUT ROWID;
        \(indexHeads) \(ofEachHead);

        -- When a device of the user was last seen, and how many bytes the user had then (`UserPosition`).
        ALTER TABLE user ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE user ADD COLUMN seen_bytes INTEGER NOT NULL DEFAULT 0;
        UPDATE user SET seen_bytes = max(bytes, 0), seen_at = min(max(
            coalesce((SELECT max(last_seen_at) FROM device WHERE device.user = user.id), created_at),
            -62135596800000), 253402300799999);
        CREATE INDEX user_by_seen ON user (app, seen_at, uuid);
        CREATE INDEX user_by_bytes ON user (app, seen_bytes, uuid);

        -- A second factor (`SecondFactor`). NULL without one.
        ALTER TABLE administrator ADD COLUMN second_factor BLOB;

        \(newContent)
        INSERT INTO new_content SELECT id, encoding, bytes FROM content WHERE segment IS NULL;
        DROP TABLE content;
        ALTER TABLE new_content RENAME TO content;
        DROP TABLE freed;
        DROP TABLE segment;
        ALTER TABLE store DROP COLUMN last_segment;
        """
}
