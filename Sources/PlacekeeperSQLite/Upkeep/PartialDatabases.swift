import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperService
import PlacekeeperSystem

/// The folders in a data directory in which `backup restore` and `transfer` make a new database. If such a command is
/// interrupted, its folder stays, with data of users who may be erased later.
package enum PartialDatabases {
    static let ofRestore = "restore.partial"
    static let ofTransfer = "transfer.partial"

    /// Deletes the folders that interrupted commands left. The caller must hold the lock of the data directory.
    package static func delete(in directory: String) {
        for name in [ofRestore, ofTransfer] { delete(directory + "/" + name) }
    }

    /// Makes an empty folder. Deletes the folder that an interrupted command left.
    static func make(_ folder: String) throws(StoreError) {
        delete(folder)
        guard mkdir(folder, 0o700) == 0 else {
            throw StoreError(
                .unavailable, "The folder for the new database cannot be made.",
                cause: "mkdir \(folder): \(String(cString: strerror(errno)))")
        }
    }

    static func delete(_ folder: String) {
        // The target of a link is not ours.
        guard let status = try? FileStatus.of(folder), status.kind == .directory else { return }
        for name in (try? File.names(in: folder)) ?? [] where name != "." && name != ".." {
            unlink(folder + "/" + name)
        }
        rmdir(folder)
    }
}
