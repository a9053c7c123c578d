import CLibrary

/// The folders in a data directory in which `backup restore` and `transfer` make a new database. If such a command is
/// interrupted, its folder stays, with data of users who may be erased later.
package enum PartialDatabases {
    static let ofRestore = "restore.partial"
    static let ofTransfer = "transfer.partial"

    /// Deletes the folders that interrupted commands left. The caller must hold the lock of the data directory.
    package static func delete(in directory: String) {
        for name in [ofRestore, ofTransfer] { delete(directory + "/" + name) }
    }

    static func delete(_ folder: String) {
        for name in (try? File.names(in: folder)) ?? [] where name != "." && name != ".." {
            unlink(folder + "/" + name)
        }
        rmdir(folder)
    }
}
