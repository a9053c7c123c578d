extension Schema {
    /// The fifth migration. After this migration, an outcome may have a launch id and details
    /// (docs/decisions/0024-when-a-restore-counts-as-failed.md).
    static let fifth = """
        -- The id of the launch of the app in which the device restored. NULL if the device did not give it.
        ALTER TABLE outcome ADD COLUMN launch TEXT;
        -- The restoration path of the object whose restore failed.
        ALTER TABLE outcome ADD COLUMN path TEXT;
        -- The index of the place's step that failed, or that the restore reached.
        ALTER TABLE outcome ADD COLUMN step INTEGER;
        -- The time that the restore took, in milliseconds.
        ALTER TABLE outcome ADD COLUMN duration INTEGER;
        """
}
