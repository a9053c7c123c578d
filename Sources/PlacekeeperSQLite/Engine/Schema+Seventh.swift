extension Schema {
    /// The seventh migration. After this migration, the deletion of an archive by an administrator can be undone, and the
    /// store keeps the restore log.
    static let seventh = deletedArchives + restoreLog
}
