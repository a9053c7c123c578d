import CSQLite
import Synchronization

/// A VFS of SQLite that overwrites the unused part of each page with zeros when the page is written to the database.
/// `PRAGMA secure_delete` overwrites deleted rows, but not the copy of a row that stays behind when SQLite moves the row
/// to another page (`rebuildPage` in SQLite's source). SQLite never reads the unused part.
///
/// Apart from these writes, the VFS is the system's default VFS. The write-ahead log is written unchanged.
enum CleanPages {
    static let name = "placekeeper"

    /// Registers the VFS. Returns false if SQLite has no default VFS, or if there is no free memory.
    static let isRegistered: Bool = {
        guard let usual = sqlite3_vfs_find(nil), let name = sqlite3_malloc(32) else { return false }
        let text = Array(CleanPages.name.utf8CString)
        name.copyMemory(from: text, byteCount: text.count)
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: usual.pointee)
        vfs.pointee.zName = UnsafePointer(name.assumingMemoryBound(to: CChar.self))
        vfs.pointee.pNext = nil
        vfs.pointee.xOpen = { _, path, file, flags, actualFlags in
            guard let usual = sqlite3_vfs_find(nil), let file else { return SQLITE_ERROR }
            let code = usual.pointee.xOpen(usual, path, file, flags, actualFlags)
            guard code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0 else { return code }
            if CleanPages.replaceWrite(of: file) { return SQLITE_OK }
            // SQLite closes a file only if it has methods.
            _ = file.pointee.pMethods?.pointee.xClose(file)
            file.pointee.pMethods = nil
            return SQLITE_CANTOPEN
        }
        return sqlite3_vfs_register(vfs, 0) == SQLITE_OK
    }()

    private typealias Methods = UnsafeMutablePointer<sqlite3_io_methods>

    /// The default VFS's methods, and a copy of them with another method for writes. Unchecked: the methods are not
    /// changed after they were made.
    private struct Tables: @unchecked Sendable {
        let usual: UnsafePointer<sqlite3_io_methods>
        let cleaning: UnsafePointer<sqlite3_io_methods>
    }

    private static let tables = Mutex<Tables?>(nil)
    /// The default VFS's method for writes. Unchecked: it is set, while `tables` is locked, before a file is written.
    nonisolated(unsafe) private static var write:
        (
            @convention(c) (
                UnsafeMutablePointer<sqlite3_file>?, UnsafeRawPointer?, Int32, sqlite3_int64
            ) -> Int32
        )?

    /// Whether a database was seen that has `sizeLimit` bytes or more.
    private static let hasLargeFile = Atomic(false)

    /// Pages are overwritten only in databases with fewer than 2^24 pages (64 GiB). In such a database, the first byte
    /// tells whether a page belongs to a B-tree: all other pages begin with the number of a page, which has the first byte
    /// 0. A single checkpoint cannot reach page number 2^25, whose first byte is the byte of a B-tree's page.
    private static let sizeLimit = sqlite3_int64(Connection.pageSize) << 24

    /// Makes a file overwrite the unused part of its pages. Returns false if the file has other methods than the files
    /// before.
    private static func replaceWrite(of file: UnsafeMutablePointer<sqlite3_file>) -> Bool {
        guard let usual = file.pointee.pMethods else { return false }
        var size: sqlite3_int64 = 0
        guard usual.pointee.xFileSize(file, &size) == SQLITE_OK else { return false }
        if size >= sizeLimit { hasLargeFile.store(true, ordering: .relaxed) }
        let cleaning: UnsafePointer<sqlite3_io_methods>? = tables.withLock { tables in
            if let tables { return tables.usual == usual ? tables.cleaning : nil }
            write = usual.pointee.xWrite
            let copy = Methods.allocate(capacity: 1)
            copy.initialize(to: usual.pointee)
            copy.pointee.xWrite = { file, bytes, count, offset in
                guard let bytes, let write = CleanPages.write else { return SQLITE_IOERR }
                if offset >= CleanPages.sizeLimit { CleanPages.hasLargeFile.store(true, ordering: .relaxed) }
                guard Int(count) == Connection.pageSize, offset % sqlite3_int64(Connection.pageSize) == 0,
                    !CleanPages.hasLargeFile.load(ordering: .relaxed)
                else { return write(file, bytes, count, offset) }
                // Most pages of archives belong to no B-tree, and are written without a copy.
                let header = bytes.load(fromByteOffset: offset == 0 ? 100 : 0, as: UInt8.self)
                guard [2, 5, 10, 13].contains(header) else { return write(file, bytes, count, offset) }
                return withUnsafeTemporaryAllocation(byteCount: Int(count), alignment: 8) { page in
                    page.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
                    CleanPages.clean(page, isFirst: offset == 0)
                    return write(file, page.baseAddress, count, offset)
                }
            }
            tables = Tables(usual: usual, cleaning: UnsafePointer(copy))
            return tables?.cleaning
        }
        guard let cleaning else { return false }
        file.pointee.pMethods = cleaning
        return true
    }

    /// Overwrites the bytes between a B-tree page's cell pointers and its cells
    /// (https://www.sqlite.org/fileformat.html, section 1.6). Does not change a page of another kind.
    static func clean(_ page: UnsafeMutableRawBufferPointer, isFirst: Bool) {
        let header = isFirst ? 100 : 0
        guard page.count >= header + 12 else { return }
        func number(at index: Int) -> Int { Int(page[index]) << 8 | Int(page[index + 1]) }
        let pointers: Int
        switch page[header] {
        case 2, 5: pointers = header + 12
        case 10, 13: pointers = header + 8
        default: return
        }
        let end = pointers + 2 * number(at: header + 3)
        let cells = number(at: header + 5)
        guard end <= cells, cells <= page.count else { return }
        for index in stride(from: pointers, to: end, by: 2) where number(at: index) < cells { return }
        UnsafeMutableRawBufferPointer(rebasing: page[end..<cells]).initializeMemory(as: UInt8.self, repeating: 0)
    }
}
