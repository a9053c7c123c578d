/// Where a device keeps its state between launches: one archive, and a mark that it is being restored.
@MainActor
public protocol ArchiveStorage: AnyObject {
    /// The archive's bytes; nil when there is none.
    func readArchive() throws(StorageError) -> [UInt8]?

    /// Keeps an archive instead of the one before. Whatever happens, one of the two is there afterwards.
    func writeArchive(_ bytes: [UInt8]) throws(StorageError)

    /// Throws the archive away.
    func discardArchive() throws(StorageError)

    /// Puts an archive aside that cannot be read, for inspection; the one that was put aside before is gone.
    func setArchiveAside() throws(StorageError)

    /// Throws away all that is kept: the archive, the one that was put aside, and the count of launches (row 80).
    func discardEverything() throws(StorageError)

    /// How many launches began to restore the archive and did not end it.
    func readAttempts() throws(StorageError) -> Int

    /// Notes how many launches began to restore the archive and did not end it.
    func writeAttempts(_ count: Int) throws(StorageError)
}

/// Why state could not be read or kept.
public enum StorageError: Error, Sendable, Hashable {
    /// The device is locked: the file is there, encrypted (seed row 51).
    case locked
    /// The system refused; its own words.
    case failed(String)
}
