import CPlacekeeperSQLite
import Synchronization

/// Overwrites the unused part of each page with zeros when SQLite writes the page to the database. `PRAGMA
/// secure_delete` overwrites deleted rows, but not the copy that remains when SQLite moves a row to another page
/// (`rebuildPage` in SQLite's source). SQLite never reads the unused part.
enum CleanPages {
    static let methods = VFSShim { methods in
        methods.xWrite = { file, bytes, count, offset in
            guard let file, let bytes else { return SQLITE_IOERR }
            let code = CleanPages.write(file, bytes, count, offset)
            return code == SQLITE_OK ? CleanPages.pace(file, count) : code
        }
    }

    /// Whether any opened database had at least `sizeLimit` bytes.
    private static let hasLargeFile = Atomic(false)

    /// Pages are cleaned only in databases with fewer than 2^24 pages (64 GiB). There, a page's first byte shows
    /// whether it belongs to a B-tree: all other pages begin with a page number, whose first byte is 0. Page numbers
    /// from 2^25 on begin like B-tree pages, but a single checkpoint can't grow a database that far.
    private static let sizeLimit = sqlite3_int64(Connection.pageSize) << 24

    /// Checks whether an opened file is large. Returns false if its size can't be read.
    static func recordSize(of file: VFSShim.File) -> Bool {
        var size: sqlite3_int64 = 0
        guard DatabaseFiles.usualMethods(of: file).pointee.xFileSize(file, &size) == SQLITE_OK else { return false }
        if size >= sizeLimit { hasLargeFile.store(true, ordering: .relaxed) }
        return true
    }

    private static func write(
        _ file: VFSShim.File, _ bytes: UnsafeRawPointer, _ count: Int32, _ offset: sqlite3_int64
    ) -> Int32 {
        guard let write = DatabaseFiles.usualMethods(of: file).pointee.xWrite else { return SQLITE_IOERR }
        if offset >= sizeLimit { hasLargeFile.store(true, ordering: .relaxed) }
        guard Int(count) == Connection.pageSize, offset % sqlite3_int64(Connection.pageSize) == 0,
            !hasLargeFile.load(ordering: .relaxed)
        else { return write(file, bytes, count, offset) }
        // Most pages of archives belong to no B-tree, so they are written without a copy.
        let header = bytes.load(fromByteOffset: offset == 0 ? 100 : 0, as: UInt8.self)
        guard [2, 5, 10, 13].contains(header) else { return write(file, bytes, count, offset) }
        return withUnsafeTemporaryAllocation(byteCount: Int(count), alignment: 8) { page in
            page.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            clean(page, isFirst: offset == 0)
            return write(file, page.baseAddress, count, offset)
        }
    }

    /// Syncs a file after each mebibyte. Otherwise the sync at the end of a checkpoint would write many mebibytes, and
    /// commits would wait for it when they sync the log.
    private static func pace(_ file: VFSShim.File, _ count: Int32) -> Int32 {
        // `DatabaseFiles.initializeSlots` set the word to an `Int`. Nothing else uses the word of a database.
        let unsynced = DatabaseFiles.slot(of: file).assumingMemoryBound(to: Int.self)
        unsynced.pointee += Int(count)
        guard unsynced.pointee >= 1 << 20, let sync = file.pointee.pMethods?.pointee.xSync else { return SQLITE_OK }
        unsynced.pointee = 0
        return sync(file, SQLITE_SYNC_NORMAL)
    }

    /// Overwrites the bytes between a B-tree page's cell pointers and its cells
    /// (https://www.sqlite.org/fileformat.html, section 1.6). Leaves other pages unchanged.
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
