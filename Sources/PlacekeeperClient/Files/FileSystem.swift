/// The file operations of the client. Each operation either completes or changes nothing, also if the process is
/// killed. Paths are relative to the client's folder, and their parts are joined by `/`.
package protocol FileSystem: AnyObject {
    /// Returns the names in a folder, sorted. Empty if the folder does not exist.
    func names(in folder: String) throws(FileError) -> [String]
    /// Returns a file's bytes. Nil if the file does not exist. Throws `tooLarge` if the file has more bytes than the
    /// limit.
    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8]?
    /// Creates or replaces a file: writes a temporary file, syncs it, and renames it. Creates missing folders.
    func write(_ bytes: [UInt8], to path: String) throws(FileError)
    /// Creates or replaces a file like `write`, and does not sync it. After a loss of power, the file is possibly old,
    /// damaged or missing. For files that only save work, or that tell a crash of the process.
    func writeUnsynced(_ bytes: [UInt8], to path: String) throws(FileError)
    /// Renames a file or folder. Replaces a file at the new path. Creates missing folders of the new path. Returns false
    /// if there is nothing at the old path.
    func rename(_ path: String, to new: String) throws(FileError) -> Bool
    /// Removes the temporary files of a folder that are a day old: the processes that wrote them were ended.
    func removeTemporaryFiles(in folder: String) throws(FileError)
    /// Removes a file, or a folder with its content. Does nothing if there is nothing at the path.
    func remove(_ path: String) throws(FileError)
}

extension FileSystem {
    package func removeTemporaryFiles(in folder: String) throws(FileError) {}
    package func writeUnsynced(_ bytes: [UInt8], to path: String) throws(FileError) { try write(bytes, to: path) }
}

/// The reason why a file operation failed.
package enum FileError: Error, Sendable, Hashable {
    /// The device is locked, and the file is encrypted.
    case locked
    /// The disk has no space left.
    case noSpace
    /// The file has more bytes than the limit.
    case tooLarge
    /// The file is torn, or it is not a file of the client.
    case damaged
    /// A system error, by its number (`errno`).
    case system(Int32)
}
