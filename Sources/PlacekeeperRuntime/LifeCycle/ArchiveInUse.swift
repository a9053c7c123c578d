/// The archive that a launch restores, until it is discarded. This type never discards any other archive, such as one
/// that was saved while restoration was extended or while a place was being restored (seed row 79).
@MainActor
final class ArchiveInUse {
    private let storage: any ArchiveStorage
    private let environment: RestorationEnvironment
    private let bytes: [UInt8]
    /// Whether a failed save may store the archive again. Not if no launch of this device can restore it.
    var isRestorable = true
    private var isReplaced = false
    private var isDiscarded = false

    init(_ bytes: [UInt8], in storage: any ArchiveStorage, _ environment: RestorationEnvironment) {
        self.bytes = bytes
        self.storage = storage
        self.environment = environment
    }

    /// Counts this launch as unfinished, unless the storage has another archive by now. If the storage fails, for
    /// example because the disk is full, the launch is not counted, but the archive is still restored.
    func beginAttempt() {
        guard isStored else { return }
        try? storage.writeAttempts(((try? storage.readAttempts()) ?? 0) + 1)
    }

    /// Call this after a launch without a crash. Resets the count of unfinished launches, and discards the archive if
    /// it is still stored, unless `keepsArchive` is true.
    func end(keepsArchive: Bool) {
        try? storage.writeAttempts(0)
        guard !keepsArchive, isStored else { return }
        isDiscarded = true
        guard (try? storage.discardArchive()) != nil else { return }
        environment.log?.record(.discarded)
    }

    /// Resets the count of unfinished launches. Call this when the app goes to the background without saving a new
    /// archive: the launch did not crash, and if the system ends the process before restoration is complete, that must
    /// not look like a crash either.
    func survive() { try? storage.writeAttempts(0) }

    /// Marks the archive as replaced by a newer one.
    func replace() {
        isReplaced = true
        isDiscarded = false
    }

    /// Writes the archive back if `end(keepsArchive:)` discarded it, unless it is not restorable, or another archive is
    /// stored by now.
    func putBack() {
        guard isDiscarded, isRestorable else { return }
        do {
            if try storage.readArchive() == nil { try storage.writeArchive(bytes) }
        } catch {
            // The error is ignored, because the caller throws the error of the save that failed first.
        }
    }

    /// Whether the storage still holds this archive. The app may have replaced it with one from the service.
    private var isStored: Bool { !isReplaced && (try? storage.readArchive()) == bytes }
}
