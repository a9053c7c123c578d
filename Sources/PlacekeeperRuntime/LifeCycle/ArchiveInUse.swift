/// The archive that a launch restores, until the archive is discarded. This type never discards another archive, such
/// as an archive that was saved while restoration was extended or while a place was being restored (seed row 79).
@MainActor
final class ArchiveInUse {
    private let storage: any ArchiveStorage
    private let bytes: [UInt8]
    private var isReplaced = false
    private var isDiscarded = false

    init(_ bytes: [UInt8], in storage: any ArchiveStorage) {
        self.bytes = bytes
        self.storage = storage
    }

    /// Adds this launch to the count of unfinished launches. If the storage no longer has this archive, the count does
    /// not change. If the storage fails, for example because the disk is full, the launch is not included in the count,
    /// but the archive is still restored.
    func beginAttempt() {
        guard isStored else { return }
        try? storage.writeAttempts(((try? storage.readAttempts()) ?? 0) + 1)
    }

    /// Ends the use of the archive after a launch without a crash. Sets the count of unfinished launches to 0, and
    /// discards the archive if `keepsArchive` is false and the storage still has this archive.
    func end(keepsArchive: Bool) {
        try? storage.writeAttempts(0)
        guard !keepsArchive, isStored else { return }
        try? storage.discardArchive()
        isDiscarded = true
    }

    /// Sets the count of unfinished launches to 0. Call this method if the app goes to the background and no new
    /// archive is saved: the launch with this archive did not crash. The system may end the process before restoration
    /// is complete, and that end must not look like a crash.
    func survive() { try? storage.writeAttempts(0) }

    /// Marks the archive as replaced by a newer archive.
    func replace() {
        isReplaced = true
        isDiscarded = false
    }

    /// Writes this archive back if `end(keepsArchive:)` discarded it, unless the storage has another archive.
    func putBack() {
        guard isDiscarded else { return }
        do {
            if try storage.readArchive() == nil { try storage.writeArchive(bytes) }
        } catch {
            // The error is ignored, because the caller throws the error of the save that failed before.
        }
    }

    /// Whether the storage still has this archive. The app may have written an archive from the service to the storage,
    /// in place of this archive.
    private var isStored: Bool { !isReplaced && (try? storage.readArchive()) == bytes }
}
