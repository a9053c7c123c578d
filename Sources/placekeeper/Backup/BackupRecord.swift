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
        // A name of its own: two backups may end at the same time.
        var template = Array((path + ".XXXXXX").utf8CString)
        let bytes = try Output.encoded(self) + [0x0A]
        do throws(PathFault) {
            let descriptor = mkstemp(&template)
            guard descriptor >= 0 else { throw PathFault(path, failed: "write", errno) }
            let new = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            defer {
                close(descriptor)
                unlink(new)
            }
            // As SQLite does with its files: the service can then replace a file that root created.
            var status = stat()
            if geteuid() == 0, stat(directory, &status) == 0 { _ = fchown(descriptor, status.st_uid, status.st_gid) }
            guard PlacekeeperSystem.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
                rename(new, path) == 0
            else { throw PathFault(path, failed: "write", errno) }
            try FileNames.syncDirectory(of: path)
        } catch {
            throw CommandFailure(writing: error)
        }
    }
}
