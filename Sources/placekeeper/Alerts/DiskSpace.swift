import PlacekeeperService
import PlacekeeperSystem

/// The space of the file system with the data directory, for programs without root's rights.
struct DiskSpace: Sendable {
    var freeBytes: Int
    var totalBytes: Int
    var freeFiles: Int
    /// 0 if the file system has no limit.
    var totalFiles: Int

    /// Nil if the system can't tell.
    init?(of directory: String) {
        var status = statvfs()
        guard statvfs(directory, &status) == 0 else { return nil }
        // A file system may report any number, such as -1 for one that it doesn't know.
        func bytes(_ blocks: some BinaryInteger) -> Int {
            let (product, overflow) = Int(clamping: blocks).multipliedReportingOverflow(
                by: Int(clamping: status.f_frsize))
            return overflow ? .max : product
        }
        self.init(
            freeBytes: bytes(status.f_bavail), totalBytes: bytes(status.f_blocks),
            freeFiles: Int(clamping: status.f_favail), totalFiles: Int(clamping: status.f_files))
    }

    init(freeBytes: Int, totalBytes: Int, freeFiles: Int, totalFiles: Int) {
        self.freeBytes = freeBytes
        self.totalBytes = totalBytes
        self.freeFiles = freeFiles
        self.totalFiles = totalFiles
    }

    /// Whether less than a tenth is free, and less than 5 GiB: a large disk with that much space isn't low. Once the
    /// disk is low, a quarter more must be free until it isn't.
    func isLow(before wasLow: Bool) -> Bool {
        let (least, leastFiles) = (min(totalBytes / 10, 5 << 30), totalFiles / 50)
        return freeBytes < least + (wasLow ? least / 4 : 0)
            || totalFiles > 0 && freeFiles < leastFiles + (wasLow ? leastFiles / 4 : 0)
    }

    var sentence: String {
        let files = totalFiles == 0 ? "" : " and \(freeFiles) of \(totalFiles) inodes"
        return "\(freeBytes >> 20) of \(totalBytes >> 20) MiB\(files) are free. Uploads fail when the disk is full."
    }

    var metrics: [Metric] {
        [
            Metric("disk_free_bytes", .gauge, "The free space for the data directory.", freeBytes),
            Metric("disk_size_bytes", .gauge, "The size of the file system with the data directory.", totalBytes),
            Metric("disk_free_files", .gauge, "The free inodes for the data directory.", freeFiles),
        ]
    }
}
