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

    /// Adds this launch to the count of unfinished launches. If a newer archive was saved in the meantime, the count
    /// does not change. If the storage fails, for example because the disk is full, the launch is not counted, but
    /// the archive is still restored.
    func beginAttempt() {
        guard isStored else { return }
        try? storage.writeAttempts(((try? storage.readAttempts()) ?? 0) + 1)
    }

    /// Ends the use of the archive after a launch without a crash. Sets the count of unfinished launches to 0, and
    /// discards the archive unless `keepsArchive` is set.
    func end(keepsArchive: Bool) {
        try? storage.writeAttempts(0)
        guard !keepsArchive, isStored else { return }
        try? storage.discardArchive()
        isDiscarded = true
    }

    /// Sets the count of unfinished launches to 0. The app went to the background without saving a new archive, so
    /// the launch with this archive did not crash. The system may end the process before restoration is complete.
    func survive() { try? storage.writeAttempts(0) }

    /// Marks the archive as replaced by a newer archive.
    func replace() {
        isReplaced = true
        isDiscarded = false
    }

    /// Writes a discarded archive back, unless the storage has another archive.
    func putBack() {
        guard isDiscarded else { return }
        do {
            if try storage.readArchive() == nil { try storage.writeArchive(bytes) }
        } catch {
            // The caller throws the error of the failed save.
        }
    }

    /// Whether the storage still has this archive. The app may have written an archive from the service to the
    /// storage.
    private var isStored: Bool { !isReplaced && (try? storage.readArchive()) == bytes }
}
