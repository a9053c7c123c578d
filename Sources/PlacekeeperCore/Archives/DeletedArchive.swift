/// An archive that an administrator deleted, while the deletion can still be undone.
package struct DeletedArchive: Sendable, Hashable {
    package var archive: Archive
    package var deletedAt: Timestamp

    package init(archive: Archive, deletedAt: Timestamp) {
        self.archive = archive
        self.deletedAt = deletedAt
    }
}

/// The result of undoing a deletion.
package enum Undeletion: Sendable, Hashable {
    case restored
    /// There is nothing to undo: the archive is unknown or still stored, or its deletion is final.
    case nothing
    /// The scene was forgotten after the deletion.
    case forgotten
    /// The scene has no archives, and the user already has the maximum number of scenes with archives.
    case tooManyScenes
    case quotaExceeded(QuotaExcess)
}
