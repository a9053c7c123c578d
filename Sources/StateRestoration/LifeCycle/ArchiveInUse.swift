/// The archive that a launch restores, until it is discarded. No other archive is ever discarded in its place: not one
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

    /// Counts this launch as one that began to restore the archive. An archive that was saved since was never tried.
    /// Where the storage refuses, as on a full disk, the archive is restored all the same, and a crash is not counted.
    func beginAttempt() {
        guard isStored else { return }
        try? storage.writeAttempts(((try? storage.readAttempts()) ?? 0) + 1)
    }

    /// The launch did not fail because of the archive, and needs it no more.
    func end(keepsArchive: Bool) {
        try? storage.writeAttempts(0)
        guard !keepsArchive, isStored else { return }
        try? storage.discardArchive()
        isDiscarded = true
    }

    /// The app leaves the screen without a new archive. The process has survived this one, even if the system ends the
    /// process before restoration is complete.
    func survive() { try? storage.writeAttempts(0) }

    /// Another archive was saved.
    func replace() {
        isReplaced = true
        isDiscarded = false
    }

    /// Brings a discarded archive back, unless another one is there.
    func putBack() {
        guard isDiscarded else { return }
        do {
            if try storage.readArchive() == nil { try storage.writeArchive(bytes) }
        } catch {
            // A storage that fails now has failed the save that this call follows.
        }
    }

    /// Whether the storage still has this archive: the service's archives are stored without the application.
    private var isStored: Bool { !isReplaced && (try? storage.readArchive()) == bytes }
}
