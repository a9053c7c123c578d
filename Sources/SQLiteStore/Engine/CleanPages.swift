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
            if code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0 { CleanPages.replaceWrite(of: file) }
            return code
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

    private static func replaceWrite(of file: UnsafeMutablePointer<sqlite3_file>) {
        guard let usual = file.pointee.pMethods else { return }
        let cleaning: UnsafePointer<sqlite3_io_methods>? = tables.withLock { tables in
            if let tables { return tables.usual == usual ? tables.cleaning : nil }
            write = usual.pointee.xWrite
            let copy = Methods.allocate(capacity: 1)
            copy.initialize(to: usual.pointee)
            copy.pointee.xWrite = { file, bytes, count, offset in
                guard let bytes, let write = CleanPages.write else { return SQLITE_IOERR }
                guard Int(count) == Connection.pageSize, offset % sqlite3_int64(Connection.pageSize) == 0,
                    CleanPages.isSmall(file)
                else { return write(file, bytes, count, offset) }
                return withUnsafeTemporaryAllocation(byteCount: Int(count), alignment: 8) { page in
                    page.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
                    CleanPages.clean(page, isFirst: offset == 0)
                    return write(file, page.baseAddress, count, offset)
                }
            }
            tables = Tables(usual: usual, cleaning: UnsafePointer(copy))
            return tables?.cleaning
        }
        if let cleaning { file.pointee.pMethods = cleaning }
    }

    /// Returns whether the file has fewer than 2^25 pages (128 GiB). In such a file, the first byte tells whether a page
    /// belongs to a B-tree: all other pages begin with the number of a page, or are empty.
    private static func isSmall(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Bool {
        var size: sqlite3_int64 = 0
        guard let methods = file?.pointee.pMethods, methods.pointee.xFileSize(file, &size) == SQLITE_OK else {
            return false
        }
        return size < sqlite3_int64(Connection.pageSize) << 25 - sqlite3_int64(Connection.pageSize)
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
