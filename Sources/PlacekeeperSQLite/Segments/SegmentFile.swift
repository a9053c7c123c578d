import CPlacekeeperSQLite
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

/// A segment that this process appends to. The file is opened by the VFS of the database, so that it has the same system
/// calls, and the same faults in tests. While the file is open, no other process appends to it.
final class SegmentFile {
    let number: Int64
    /// The lock ends when this value is released.
    private let lock: File
    /// The path. SQLite's file refers to it until the file is closed.
    private let path: UnsafeMutablePointer<CChar>
    private let handle: UnsafeMutablePointer<sqlite3_file>
    private let methods: UnsafePointer<sqlite3_io_methods>

    /// Opens an existing segment. Nil if another process appends to it.
    init?(_ number: Int64, beside database: String) throws(StoreError) {
        let name = SegmentPlace.path(of: number, beside: database)
        let lock = try File(name, O_RDWR)
        guard lock.tryLock(LOCK_EX) else { return nil }
        guard DatabaseFiles.isRegistered, let vfs = sqlite3_vfs_find(DatabaseFiles.name),
            let path = strdup(name)
        else { throw StoreError(.unavailable, "SQLite cannot be used.") }
        let size = Int(vfs.pointee.szOsFile)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let handle = memory.bindMemory(to: sqlite3_file.self, capacity: 1)
        var flags: Int32 = 0
        let code = vfs.pointee.xOpen(vfs, path, handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_SUBJOURNAL, &flags)
        guard code == SQLITE_OK, let methods = handle.pointee.pMethods else {
            free(path)
            memory.deallocate()
            throw StoreError(sqlite: code)
        }
        (self.number, self.path, self.handle, self.methods) = (number, path, handle, methods)
        self.lock = lock
    }

    deinit {
        _ = methods.pointee.xClose(handle)
        UnsafeMutableRawPointer(handle).deallocate()
        free(path)
    }

    /// Creates the file of a segment. Its name is durable when this function returns. Nil if there is a file with this name.
    static func create(_ number: Int64, beside database: String) throws(StoreError) -> SegmentFile? {
        let name = SegmentPlace.path(of: number, beside: database)
        guard access(name, F_OK) != 0 else { return nil }
        do {
            let file = try File(name, O_RDWR | O_CREAT | O_EXCL)
            file.giveToOwner(of: database)
            try File.syncDirectory(of: name)
        }
        return try SegmentFile(number, beside: database)
    }

    /// Whether the file still has its name.
    func isAtItsPath() throws(StoreError) -> Bool { try lock.isAt(String(cString: path)) }

    func size() throws(StoreError) -> Int64 { Int64(try lock.size()) }

    func write(_ bytes: [UInt8], at position: Int64) throws(StoreError) {
        for start in stride(from: 0, to: bytes.count, by: Self.largestWrite) {
            let code = bytes.withUnsafeBytes { buffer in
                let end = min(start + Self.largestWrite, buffer.count)
                let piece = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
                return methods.pointee.xWrite(handle, piece.baseAddress, Int32(piece.count), position + Int64(start))
            }
            try check(code)
        }
    }

    /// SQLite's VFS writes less than 128 KiB at a time.
    private static let largestWrite = 64 << 10

    /// Returns when the written bytes are on the disk.
    func sync() throws(StoreError) { try check(methods.pointee.xSync(handle, SQLITE_SYNC_NORMAL)) }

    func truncate(to size: Int64) throws(StoreError) { try check(methods.pointee.xTruncate(handle, size)) }

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw StoreError(sqlite: code) }
    }
}
