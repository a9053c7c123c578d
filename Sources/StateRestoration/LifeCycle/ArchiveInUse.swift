/// The archive that a launch restores, until it is discarded. This type never discards another archive, such as one
/// that was saved while restoration was extended or while a place was being restored (seed row 79).
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
    /// does not change. If the storage fails, for example because the disk is full, the archive is restored anyway,
    /// and a crash is not counted.
    func beginAttempt() {
        guard isStored else { return }
        try? storage.writeAttempts(((try? storage.readAttempts()) ?? 0) + 1)
    }

    /// Ends the use of the archive: the launch did not crash. Resets the count, and discards the archive unless
    /// `keepsArchive` is set.
    func end(keepsArchive: Bool) {
        try? storage.writeAttempts(0)
        guard !keepsArchive, isStored else { return }
        try? storage.discardArchive()
        isDiscarded = true
    }

    /// Resets the count: the app leaves the screen without a new archive, so this archive has not crashed it. The
    /// system may end the process before restoration is complete.
    func survive() { try? storage.writeAttempts(0) }

    /// Marks the archive as replaced by a newer one.
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

    /// Whether the storage still has this archive. The app may have written the service's archive to the storage.
    private var isStored: Bool { !isReplaced && (try? storage.readArchive()) == bytes }
}
