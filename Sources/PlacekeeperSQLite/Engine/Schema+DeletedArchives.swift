extension Schema {
    /// A part of the seventh migration: the archives that an administrator deleted, and whose deletion can be undone
    /// (docs/decisions/0078-a-deletion-can-be-undone.md).
    static let deletedArchives = """
        -- The columns of archive, and the time of the deletion. The content, the snapshot, the outcomes and the servings
        -- of such an archive stay. Each of these archives has a tombstone with the same time.
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
            PRIMARY KEY (scene, uuid)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX deleted_archive_by_time ON deleted_archive (deleted_at);
        """
}
