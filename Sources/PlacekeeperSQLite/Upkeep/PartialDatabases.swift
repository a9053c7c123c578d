import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperService
import PlacekeeperSystem

/// The folders in a data directory where `backup restore` and `transfer` create a new database. An interrupted command
/// leaves its folder behind, with data of users who may be erased later.
package enum PartialDatabases {
    static let ofRestore = "restore.partial"
    static let ofTransfer = "transfer.partial"

    /// Deletes the folders left by interrupted commands. The caller must hold the data directory's lock.
    package static func delete(in directory: String) {
        for name in [ofRestore, ofTransfer] { delete(directory + "/" + name) }
    }

    /// Creates an empty folder, replacing one left by an interrupted command.
    static func make(_ folder: String) throws(StoreError) {
        delete(folder)
        guard mkdir(folder, 0o700) == 0 else {
            throw StoreError(
                .unavailable, "The folder for the new database cannot be made.",
                cause: "mkdir \(folder): \(String(cString: strerror(errno)))")
        }
    }

    static func delete(_ folder: String) {
        // The target of a link isn't ours.
        guard let status = try? FileStatus.of(folder), status.kind == .directory else { return }
        for name in (try? File.names(in: folder)) ?? [] where name != "." && name != ".." {
            unlink(folder + "/" + name)
        }
        rmdir(folder)
    }
}
