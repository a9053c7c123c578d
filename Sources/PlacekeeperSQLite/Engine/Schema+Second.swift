extension Schema {
    /// The second migration. This migration makes the cost of retention and links independent of the number of devices.
    /// After this migration, no number of a registration is assigned twice
    /// (docs/decisions/0062-uploads-are-decided-from-memory.md).
    static let second = """
        -- The number of the last registration. No number is assigned twice: pruning detaches a registration by a number
        -- that it read earlier.
        ALTER TABLE store ADD COLUMN last_registry INTEGER NOT NULL DEFAULT 0;
        UPDATE store SET last_registry = coalesce((SELECT max(id) FROM registry), 0);

        -- The user's revision when the device moved to this user from another user. 0 if the device never moved. An
        -- archive that the device restored before the move has a revision of the former user. Such a revision is not
        -- greater than this revision.
        ALTER TABLE device ADD COLUMN joined_revision INTEGER NOT NULL DEFAULT 0;

        -- Whether the archive's outcomes allow serving it to its own device.
        ALTER TABLE archive ADD COLUMN is_servable INTEGER NOT NULL DEFAULT 1;

        -- The last archive of a scene that was served to each of the user's devices. Retention keeps this archive.
        CREATE TABLE served_last (
            scene INTEGER NOT NULL REFERENCES scene,
            device BLOB NOT NULL,
            content INTEGER NOT NULL REFERENCES content,
            PRIMARY KEY (scene, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX served_last_by_content ON served_last (content);
        INSERT INTO served_last
        SELECT scene, device, content FROM (
            SELECT archive.scene, served.device, served.content, row_number() OVER (
                PARTITION BY archive.scene, served.device
                ORDER BY served.at DESC, archive.captured_at DESC, archive.revision DESC) AS place
            FROM archive JOIN served ON served.content = archive.content JOIN scene ON scene.id = archive.scene
            JOIN device ON device.uuid = served.device AND device.user = scene.user)
        WHERE place = 1;
        """
}
