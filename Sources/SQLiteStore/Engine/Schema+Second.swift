extension Schema {
    /// Retention and links at a cost that does not depend on the number of devices, and numbers of registrations that are
    /// never given twice (docs/decisions/0071-an-uploads-cost-and-devices.md).
    static let second = """
        -- The number of the registration that was made last. A number is never given twice: a reader may still hold it.
        ALTER TABLE store ADD COLUMN last_registry INTEGER NOT NULL DEFAULT 0;
        UPDATE store SET last_registry = coalesce((SELECT max(id) FROM registry), 0);

        -- The user's revision when the device moved here from another user, 0 for a device that never did. What the device
        -- restored before then has a revision of that user, which is no greater.
        ALTER TABLE device ADD COLUMN joined_revision INTEGER NOT NULL DEFAULT 0;

        -- Whether no outcome stands against serving the archive to its own device.
        ALTER TABLE archive ADD COLUMN is_servable INTEGER NOT NULL DEFAULT 1;

        -- The archive of a scene that was served to each of the user's devices last. Retention keeps it.
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
