extension Schema {
    /// The eighth migration. After this migration, an item has the time since when its identifier names it, and the
    /// captures of a device keep their order (docs/decisions/0022-order-is-one-pure-rule.md).
    static let eighth = items + order

    private static let items = """
        -- NULL if it is `changed_at`.
        ALTER TABLE item ADD COLUMN since INTEGER;
        -- 1 if the identifier named another item before.
        ALTER TABLE item ADD COLUMN is_reuse INTEGER NOT NULL DEFAULT 0;
        """
    /// The stored archives keep their order: each has its own `order_revision`. A glance is recognized by its place right
    /// below an older archive.
    private static let order = """
        CREATE TABLE ordered_archive (
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
            -- The device's own identifier and not its row, so that a list needs no look-up for each archive.
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
        INSERT INTO ordered_archive
        SELECT scene, captured_at, revision, coalesce(sequence, -1), revision, uuid, content, device, written_at,
            received_at, idiom, layout, bundle_version, system_version, state_version, digest, size, place,
            object_count, reference_count, has_snapshot, has_outcomes, is_servable,
            written_at > captured_at AND EXISTS (
                SELECT 1 FROM archive AS above
                WHERE above.scene = archive.scene AND above.captured_at = archive.captured_at + 1
                    AND above.revision < archive.revision
                    AND (above.device <> archive.device OR coalesce(above.sequence <= archive.sequence, 1)))
        FROM archive ORDER BY scene, captured_at, revision;
        DROP TABLE archive;
        ALTER TABLE ordered_archive RENAME TO archive;

        ALTER TABLE deleted_archive ADD COLUMN order_revision INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE deleted_archive ADD COLUMN is_glance INTEGER NOT NULL DEFAULT 0;
        UPDATE deleted_archive SET order_revision = revision, sequence = coalesce(sequence, -1);
        """
}
