/// Keeps state while the process lives, and can be locked as a device's files are: for tests and previews.
@MainActor
public final class InMemoryArchiveStorage: ArchiveStorage {
    /// The archive that is kept.
    public private(set) var archive: [UInt8]?
    /// The archive that was put aside last.
    public private(set) var quarantinedArchive: [UInt8]?
    /// Whether nothing can be read or kept.
    public var isLocked = false
    private var attempts = 0

    /// Makes an empty storage, or one that has an archive.
    public init(archive: [UInt8]? = nil) { self.archive = archive }

    private func unlocked() throws(StorageError) {
        if isLocked { throw .locked }
    }

    /// The archive's bytes.
    public func readArchive() throws(StorageError) -> [UInt8]? {
        try unlocked()
        return archive
    }

    /// Keeps an archive.
    public func writeArchive(_ bytes: [UInt8]) throws(StorageError) {
        try unlocked()
        archive = bytes
    }

    /// Throws the archive away.
    public func discardArchive() throws(StorageError) {
        try unlocked()
        archive = nil
    }

    /// Puts the archive aside.
    public func setArchiveAside() throws(StorageError) {
        try unlocked()
        guard let archive else { return }
        quarantinedArchive = archive
        self.archive = nil
    }

    /// Throws everything away.
    public func discardEverything() throws(StorageError) {
        try unlocked()
        (archive, quarantinedArchive, attempts) = (nil, nil, 0)
    }

    /// How many launches did not end.
    public func readAttempts() throws(StorageError) -> Int {
        try unlocked()
        return attempts
    }

    /// Notes how many launches did not end.
    public func writeAttempts(_ count: Int) throws(StorageError) {
        try unlocked()
        attempts = count
    }
}
