import PlacekeeperAPI
import PlacekeeperFiles
import PlacekeeperSystem

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The last backup of a data directory, in a file that the service and other commands read.
struct BackupRecord: Codable, Hashable, Sendable {
    static let fileName = "last-backup.json"

    /// A backup without a fault.
    struct Success: Codable, Hashable, Sendable {
        var endedAt: Time
        var milliseconds: Int64
        /// The absolute path.
        var file: String
        var bytes: Int
        /// The digest of the file, in hexadecimal digits.
        var sha256: String
    }

    struct Failure: Codable, Hashable, Sendable {
        var at: Time
        var message: String
    }

    /// Nil if no backup has succeeded.
    var success: Success?
    /// The last attempt, if it failed.
    var failure: Failure?

    /// Reads the record of a data directory. Nil if there is none, or if it can't be read.
    init?(of directory: String) {
        guard let file = try? RegularFile.read(directory + "/" + Self.fileName, limit: 64 << 10),
            let record = try? JSONDecoder().decode(Self.self, from: Data(file.bytes))
        else { return nil }
        self = record
    }

    /// Records a backup.
    static func save(_ success: Success, in directory: String) throws(CommandFailure) {
        try Self(success: success).write(in: directory)
    }

    /// Records a failed attempt, and keeps the last success.
    static func save(_ failure: Failure, in directory: String) throws(CommandFailure) {
        try Self(success: Self(of: directory)?.success, failure: failure).write(in: directory)
    }

    init(success: Success? = nil, failure: Failure? = nil) { (self.success, self.failure) = (success, failure) }

    private func write(in directory: String) throws(CommandFailure) {
        let path = directory + "/" + Self.fileName
        let new = path + ".partial"
        let bytes = try Output.encoded(self) + [0x0A]
        do throws(PathFault) {
            let descriptor = try Self.lock(new)
            defer { close(descriptor) }
            // As SQLite does with its files: the service can then replace a file that root created.
            var status = stat()
            if geteuid() == 0, stat(directory, &status) == 0 { _ = fchown(descriptor, status.st_uid, status.st_gid) }
            guard ftruncate(descriptor, 0) == 0,
                PlacekeeperSystem.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
                rename(new, path) == 0
            else { throw PathFault(path, failed: "write", errno) }
            try FileNames.syncDirectory(of: path)
        } catch {
            throw CommandFailure(writing: error)
        }
    }

    /// Opens the file that becomes the record, after all others that write it: two backups may end at the same time.
    private static func lock(_ path: String) throws(PathFault) -> Int32 {
        while true {
            let descriptor = try RegularFile.open(path, O_RDWR | O_CREAT | O_NOFOLLOW)
            flock(descriptor, LOCK_EX)
            if let status = try FileStatus.of(path), status.isOfSameFile(as: try FileStatus.of(descriptor, at: path)) {
                return descriptor
            }
            close(descriptor)
        }
    }
}
