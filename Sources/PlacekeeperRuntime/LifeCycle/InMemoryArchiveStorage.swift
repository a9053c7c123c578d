/// Stores state in memory, for tests and previews. A test can lock the storage to make reading and writing fail, as on
/// a locked device.
@MainActor
public final class InMemoryArchiveStorage: ArchiveStorage {
    /// The stored archive.
    public private(set) var archive: [UInt8]?
    /// The archive that was last quarantined.
    public private(set) var quarantinedArchive: [UInt8]?
    /// Whether reading and writing fail, as on a locked device.
    public var isLocked = false
    private var attempts = 0

    /// Creates a storage, empty or with an archive.
    public init(archive: [UInt8]? = nil) { self.archive = archive }

    private func unlocked() throws(StorageError) {
        if isLocked { throw .locked }
    }

    /// Returns the archive, or `nil` if there is none.
    public func readArchive() throws(StorageError) -> [UInt8]? {
        try unlocked()
        return archive
    }

    /// Replaces the archive.
    public func writeArchive(_ bytes: [UInt8]) throws(StorageError) {
        try unlocked()
        archive = bytes
    }

    /// Discards the archive.
    public func discardArchive() throws(StorageError) {
        try unlocked()
        archive = nil
    }

    /// Quarantines the archive.
    public func quarantineArchive() throws(StorageError) {
        try unlocked()
        guard let archive else { return }
        quarantinedArchive = archive
        self.archive = nil
    }

    /// Discards the archive, the quarantined archive, and the count of unfinished launches.
    public func discardEverything() throws(StorageError) {
        try unlocked()
        (archive, quarantinedArchive, attempts) = (nil, nil, 0)
    }

    /// Returns how many launches did not finish restoring the archive.
    public func readAttempts() throws(StorageError) -> Int {
        try unlocked()
        return attempts
    }

    /// Stores how many launches did not finish restoring the archive.
    public func writeAttempts(_ count: Int) throws(StorageError) {
        try unlocked()
        attempts = count
    }
}
