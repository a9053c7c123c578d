/// The file operations of the client. Each either completes or changes nothing, even if the process is killed. Paths
/// are relative to the client's folder, with `/` as the separator.
package protocol FileSystem: AnyObject {
    /// Returns the names in a folder, sorted. Empty if the folder does not exist.
    func names(in folder: String) throws(FileError) -> [String]
    /// Returns a file's bytes, or `nil` if the file does not exist. Throws `tooLarge` if the file is larger than the
    /// limit.
    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8]?
    /// Creates or replaces a file: writes a temporary file, syncs it and renames it. Creates missing folders.
    func write(_ bytes: [UInt8], to path: String) throws(FileError)
    /// Creates or replaces a file like `write`, but without syncing it. After a power loss, the file may be old,
    /// damaged or missing. For files that only avoid repeated work, or that only need to survive a crash of the
    /// process.
    func writeUnsynced(_ bytes: [UInt8], to path: String) throws(FileError)
    /// Creates a file or overwrites its beginning, in an existing folder, without syncing it: the fastest way to write.
    func overwrite(_ path: String, with bytes: [UInt8]) throws(FileError)
    /// Renames a file or folder. Replaces a file at the new path, and creates its missing folders. Returns false if
    /// there is nothing at the old path.
    func rename(_ path: String, to new: String) throws(FileError) -> Bool
    /// Removes a folder's temporary files that are a day old, because the processes that wrote them have ended.
    func removeTemporaryFiles(in folder: String) throws(FileError)
    /// Removes a file, or a folder with its content. Does nothing if the path does not exist.
    func remove(_ path: String) throws(FileError)
}

extension FileSystem {
    package func removeTemporaryFiles(in folder: String) throws(FileError) {}
    package func writeUnsynced(_ bytes: [UInt8], to path: String) throws(FileError) { try write(bytes, to: path) }
    package func overwrite(_ path: String, with bytes: [UInt8]) throws(FileError) {
        try writeUnsynced(bytes, to: path)
    }
}

/// Why a file operation failed.
package enum FileError: Error, Sendable, Equatable {
    /// The device is locked, and the file is encrypted.
    case locked
    /// The disk is full.
    case noSpace
    /// The file is larger than the limit.
    case tooLarge
    /// The file is torn, or not a file of the client.
    case damaged
    /// A system error, by its number (`errno`).
    case system(Int32)
}
