package import PlacekeeperArchive

/// Stores a device's archive between launches, and how many launches did not finish restoring it.
@MainActor
public protocol ArchiveStorage: AnyObject {
    /// Returns the archive, or `nil` if there is none.
    func readArchive() throws(StorageError) -> [UInt8]?

    /// Replaces the archive. If writing fails, the old archive is kept.
    func writeArchive(_ bytes: [UInt8]) throws(StorageError)

    /// Discards the archive.
    func discardArchive() throws(StorageError)

    /// Moves the archive to quarantine, so that a developer can inspect it. Replaces an archive that was
    /// quarantined earlier.
    func quarantineArchive() throws(StorageError)

    /// Discards the archive, the quarantined archive, and the count of unfinished launches (row 80).
    func discardEverything() throws(StorageError)

    /// Returns how many launches began to restore the archive and did not finish.
    func readAttempts() throws(StorageError) -> Int

    /// Stores how many launches began to restore the archive and did not finish.
    func writeAttempts(_ count: Int) throws(StorageError)
}

/// A storage that uses an archive without reading its bytes again.
@MainActor
package protocol ArchiveWriting: ArchiveStorage {
    /// Replaces the archive.
    /// - Parameter bytes: The archive's bytes.
    func write(_ archive: StateArchive, encoded bytes: [UInt8])
}

/// Why state could not be read or stored.
public enum StorageError: Error, Sendable, Equatable {
    /// The device is locked, and the file is encrypted (seed row 51).
    case locked
    /// A system error, with the system's message.
    case failed(String)
}
