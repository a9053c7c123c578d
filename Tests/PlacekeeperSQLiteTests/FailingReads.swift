import CPlacekeeperSQLite
import Glibc
import Synchronization

/// Makes SQLite's reads of files below given directories fail.
enum FailingReads {
    private static let directories = Mutex<Set<String>>([])

    static func fail(below directory: String) {
        _ = installed
        _ = directories.withLock { $0.insert(directory) }
    }

    static func succeed(below directory: String) { _ = directories.withLock { $0.remove(directory) } }

    /// Installs the read function, which SQLite then uses in all tests of the process.
    private static let installed: Bool = {
        let read: @convention(c) (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int = { file, bytes, count, offset in
            guard FailingReads.isBroken(file) else { return pread(file, bytes, count, offset) }
            errno = EIO
            return -1
        }
        guard let system = sqlite3_vfs_find(nil) else { return false }
        for name in ["pread", "pread64"] {
            _ = system.pointee.xSetSystemCall(
                system, name, unsafeBitCast(read, to: sqlite3_syscall_ptr.self))
        }
        return true
    }()

    private static func isBroken(_ file: Int32) -> Bool {
        let broken = directories.withLock { $0 }
        guard !broken.isEmpty else { return false }
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(file)", &path, path.count)
        let name = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return broken.contains { name.hasPrefix($0 + "/") }
    }
}
