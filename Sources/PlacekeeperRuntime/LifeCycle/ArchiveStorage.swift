/// Stores a device's archive between launches, and the number of launches that did not finish restoring this archive.
@MainActor
public protocol ArchiveStorage: AnyObject {
    /// Returns the archive's bytes. Nil if there is no archive.
    func readArchive() throws(StorageError) -> [UInt8]?

    /// Replaces the archive. If writing fails, the earlier archive is kept.
    func writeArchive(_ bytes: [UInt8]) throws(StorageError)

    /// Discards the archive.
    func discardArchive() throws(StorageError)

    /// Moves the archive to quarantine, because it cannot be read, so that a developer can inspect it. An archive that
    /// was quarantined earlier is replaced.
    func quarantineArchive() throws(StorageError)

    /// Discards the archive, the quarantined archive, and the count of unfinished launches (row 80).
    func discardEverything() throws(StorageError)

    /// Returns the number of launches that began to restore the archive and did not finish.
    func readAttempts() throws(StorageError) -> Int

    /// Stores the number of launches that began to restore the archive and did not finish.
    func writeAttempts(_ count: Int) throws(StorageError)
}

/// The reason why state could not be read or stored.
public enum StorageError: Error, Sendable, Hashable {
    /// The device is locked, and the file is encrypted (seed row 51).
    case locked
    /// A system error, with the system's message.
    case failed(String)
}
