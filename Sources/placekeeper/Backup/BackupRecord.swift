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

    /// A backup that `backup verify` found to be whole.
    struct Proof: Codable, Hashable, Sendable {
        var at: Time
        /// The absolute path.
        var file: String
        /// When the backup was made. Nil for a file that wasn't the last backup.
        var endedAt: Time?
    }

    /// Nil if no backup has succeeded.
    var success: Success?
    /// The last attempt, if it failed.
    var failure: Failure?
    /// The last proof, of this backup or of an earlier one.
    var proof: Proof?

    init() {}

    /// Reads the record of a data directory. Nil if there is none, or if it can't be read.
    init?(of directory: String) {
        guard let file = try? RegularFile.read(directory + "/" + Self.fileName, limit: 64 << 10),
            let record = try? JSONDecoder().decode(Self.self, from: Data(file.bytes))
        else { return nil }
        self = record
    }

    /// Records a backup.
    static func save(_ success: Success, in directory: String) throws(CommandFailure) {
        try change(in: directory) { ($0.success, $0.failure) = (success, nil) }
    }

    /// Records a failed attempt, and keeps the last success.
    static func save(_ failure: Failure, in directory: String) throws(CommandFailure) {
        try change(in: directory) { $0.failure = failure }
    }

    /// Records a proof, or that a file isn't whole: then nothing proves it any more.
    static func save(_ proof: Proof, isWhole: Bool, in directory: String) throws(CommandFailure) {
        try change(in: directory) { record in
            if isWhole { record.proof = proof } else if record.proof?.file == proof.file { record.proof = nil }
        }
    }

    /// Changes the record, one process after another.
    private static func change(in directory: String, _ change: (inout Self) -> Void) throws(CommandFailure) {
        let path = directory + "/" + fileName
        let new = path + ".partial"
        let descriptor: Int32
        do throws(PathFault) { descriptor = try lock(new) } catch { throw CommandFailure(writing: error) }
        defer { close(descriptor) }
        var record = Self(of: directory) ?? Self()
        change(&record)
        let bytes = try Output.encoded(record) + [0x0A]
        do throws(PathFault) {
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
            _ = flock(descriptor, LOCK_EX)
            if let status = try FileStatus.of(path), status.isOfSameFile(as: try FileStatus.of(descriptor, at: path)) {
                return descriptor
            }
            close(descriptor)
        }
    }
}
