import CPlacekeeperSQLite

/// Buffers writes to the write-ahead log, so one system call writes many pages. For each changed page, SQLite writes a
/// 24-byte header and then 4 KiB, and these calls took a tenth of an upload's CPU time.
///
/// Consecutive bytes are copied into a buffer. It is written when it is full, before any other use of the file, and
/// with the last page of a commit. If a transaction wrote pages before its commit, SQLite rewrites their headers
/// afterward. The last of these headers is written only by the commit's sync, so the writing connection must use
/// `synchronous = FULL`. After a rollback, `forget(_:)` drops the buffer, because another process may now write to the
/// same position.
enum BufferedWAL {
    private typealias File = VFSShim.File

    /// Bytes of a log that aren't written yet.
    private struct Pending {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: BufferedWAL.capacity, alignment: 16)
        /// The file position of the first byte.
        var start: sqlite3_int64 = 0
        var count = 0
        /// Whether the next write is the last page of a commit.
        var endsCommit = false

        var end: sqlite3_int64 { start + sqlite3_int64(count) }

        mutating func append(_ source: UnsafeRawPointer, _ size: Int) {
            UnsafeMutableRawBufferPointer(rebasing: bytes[count..<count + size])
                .copyMemory(from: UnsafeRawBufferPointer(start: source, count: size))
            count += size
        }
    }

    /// The size of a buffer: 31 pages with their headers. Only the writing connection has a buffer. SQLite's VFS for
    /// Unix writes less than 128 KiB at a time (`seekAndWriteFd` in SQLite's source).
    private static let capacity = 127 << 10
    /// The size of a page's header in the log, and the offset of its field for the size of the database in pages, which
    /// is nonzero only in the last header of a commit (https://www.sqlite.org/fileformat.html, section 4.1).
    private static let (headerSize, commitField): (Int32, Int) = (24, 4)

    static let methods = VFSShim { methods in
        methods.xWrite = { file, bytes, count, offset in
            guard let file, let bytes else { return SQLITE_IOERR }
            return BufferedWAL.write(file, bytes, count, offset)
        }
        methods.xRead = { file, bytes, count, offset in
            BufferedWAL.afterWriting(file) { $0.xRead(file, bytes, count, offset) }
        }
        methods.xSync = { file, flags in
            BufferedWAL.afterWriting(file) { $0.xSync(file, flags) }
        }
        methods.xTruncate = { file, size in
            BufferedWAL.afterWriting(file) { $0.xTruncate(file, size) }
        }
        methods.xFileSize = { file, size in
            BufferedWAL.afterWriting(file) { $0.xFileSize(file, size) }
        }
        methods.xClose = { file in
            guard let file else { return SQLITE_IOERR }
            let code = BufferedWAL.slot(of: file).pointee.map { BufferedWAL.flush($0, to: file) } ?? SQLITE_OK
            BufferedWAL.drop(file)
            let closed = DatabaseFiles.usualMethods(of: file).pointee.xClose(file)
            return code == SQLITE_OK ? closed : code
        }
    }

    private static func slot(of file: File) -> UnsafeMutablePointer<UnsafeMutablePointer<Pending>?> {
        // The word is aligned and belongs to this file. It starts as 0, a null pointer.
        DatabaseFiles.slot(of: file).bindMemory(to: UnsafeMutablePointer<Pending>?.self, capacity: 1)
    }

    private static func write(
        _ file: File, _ bytes: UnsafeRawPointer, _ count: Int32, _ offset: sqlite3_int64
    ) -> Int32 {
        let pending = pending(of: file)
        let size = Int(count)
        guard size <= capacity, size >= 0 else { return SQLITE_IOERR }
        if pending.pointee.count > 0, offset != pending.pointee.end || pending.pointee.count + size > capacity {
            let code = flush(pending, to: file)
            guard code == SQLITE_OK else { return code }
        }
        if pending.pointee.count == 0 { pending.pointee.start = offset }
        pending.pointee.append(bytes, size)
        if count == headerSize {
            let size = bytes.loadUnaligned(fromByteOffset: commitField, as: UInt32.self)
            pending.pointee.endsCommit = size != 0
            return SQLITE_OK
        }
        return pending.pointee.endsCommit ? flush(pending, to: file) : SQLITE_OK
    }

    /// Writes the pending bytes, then calls a method of the default VFS.
    private static func afterWriting(
        _ file: File?, _ method: (sqlite3_io_methods) -> Int32
    ) -> Int32 {
        guard let file else { return SQLITE_IOERR }
        let code = slot(of: file).pointee.map { flush($0, to: file) } ?? SQLITE_OK
        return code == SQLITE_OK ? method(DatabaseFiles.usualMethods(of: file).pointee) : code
    }

    /// Writes the pending bytes. If that fails, SQLite rolls back, so the bytes are dropped.
    private static func flush(_ pending: UnsafeMutablePointer<Pending>, to file: File) -> Int32 {
        let count = pending.pointee.count
        guard count > 0 else { return SQLITE_OK }
        (pending.pointee.count, pending.pointee.endsCommit) = (0, false)
        return DatabaseFiles.usualMethods(of: file).pointee
            .xWrite(file, pending.pointee.bytes.baseAddress, Int32(count), pending.pointee.start)
    }

    /// Makes a connection drop pending bytes at every rollback, even one that SQLite starts itself.
    static func forgetAfterRollbacks(of handle: OpaquePointer) {
        sqlite3_rollback_hook(
            handle,
            { handle in if let handle { BufferedWAL.forget(OpaquePointer(handle)) } },
            UnsafeMutableRawPointer(handle))
    }

    /// Drops the pending bytes of a connection's log.
    private static func forget(_ handle: OpaquePointer) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK, let file,
            methods.isApplied(to: file), let pending = slot(of: file).pointee
        else { return }
        (pending.pointee.count, pending.pointee.endsCommit) = (0, false)
    }

    private static func pending(of file: File) -> UnsafeMutablePointer<Pending> {
        let slot = slot(of: file)
        if let pending = slot.pointee { return pending }
        let pending = UnsafeMutablePointer<Pending>.allocate(capacity: 1)
        pending.initialize(to: Pending())
        slot.pointee = pending
        return pending
    }

    private static func drop(_ file: File) {
        guard let pending = slot(of: file).pointee else { return }
        pending.pointee.bytes.deallocate()
        pending.deallocate()
        slot(of: file).pointee = nil
    }
}
