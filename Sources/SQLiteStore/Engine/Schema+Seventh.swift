extension Schema {
    /// The seventh migration. After this migration, the deletion of an archive by an administrator can be undone.
    static let seventh = deletedArchives
}
