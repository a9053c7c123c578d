import PlacekeeperSQLite
import PlacekeeperSystem

/// The space and the inodes of the disk with the data.
struct DiskCheck {
    var freeBytes: Int
    var totalBytes: Int
    /// 0 if the file system doesn't count inodes.
    var totalInodes: Int
    var freeInodes: Int
    /// The size of the database with its log.
    var usedBytes = 0
    var maximumBytes: Int?

    static func findings(of directory: String, maximumBytes: Int?) -> [Finding] {
        var status = statvfs()
        guard statvfs(directory, &status) == 0 else {
            return [.skipped("disk", "cannot look at \(quoted(directory)): \(String(cString: strerror(errno)))")]
        }
        let block = Int(status.f_frsize)
        var check = DiskCheck(
            freeBytes: Int(status.f_bavail) * block, totalBytes: Int(status.f_blocks) * block,
            totalInodes: Int(status.f_files), freeInodes: Int(status.f_favail), maximumBytes: maximumBytes)
        for end in ["", "-wal"] {
            var file = stat()
            if stat(directory + "/" + SQLiteStore.fileName + end, &file) == 0 { check.usedBytes += Int(file.st_size) }
        }
        return check.findings
    }

    var findings: [Finding] {
        var findings: [Finding] = []
        if freeBytes < 1 << 30 || freeBytes < totalBytes / 20 {
            findings.append(
                .problem(
                    "disk", "only \(megabytes(freeBytes)) of \(megabytes(totalBytes)) are free",
                    do: "free space or enlarge the disk: a full disk refuses uploads with 507"))
        }
        if totalInodes > 0, freeInodes < totalInodes / 50 {
            findings.append(
                .problem(
                    "disk", "only \(freeInodes) of \(totalInodes) inodes are free",
                    do: "delete small files on this disk: without an inode, no file can be created"))
        }
        if let maximumBytes, usedBytes > maximumBytes / 10 * 9 {
            findings.append(
                .problem(
                    "disk", "the database has \(megabytes(usedBytes)), and maximum-bytes is \(megabytes(maximumBytes))",
                    do: "raise maximum-bytes and restart the service, or lower the apps' quotas"))
        }
        return findings.orOK("disk", "\(megabytes(freeBytes)) of \(megabytes(totalBytes)) are free")
    }

    private func megabytes(_ bytes: Int) -> String { "\(bytes / 1_000_000) MB" }
}
