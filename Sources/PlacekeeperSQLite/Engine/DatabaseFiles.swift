import CPlacekeeperSQLite

/// SQLite's VFS for the database: the system's default with two changes. Pages are cleaned as they are written to the
/// database (`CleanPages`), and the write-ahead log is written in large pieces (`BufferedWAL`).
enum DatabaseFiles {
    static let name = "placekeeper"

    /// Registers the VFS. False if SQLite has no default VFS or memory runs out.
    static let isRegistered: Bool = {
        guard let usual = sqlite3_vfs_find(nil), let name = sqlite3_malloc(32) else { return false }
        let text = Array(DatabaseFiles.name.utf8CString)
        name.copyMemory(from: text, byteCount: text.count)
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: usual.pointee)
        vfs.pointee.zName = UnsafePointer(name.assumingMemoryBound(to: CChar.self))
        vfs.pointee.pNext = nil
        slotOffset = (Int(usual.pointee.szOsFile) + 7) & ~7
        vfs.pointee.szOsFile = Int32(slotOffset + 2 * MemoryLayout<Int>.size)
        vfs.pointee.xOpen = { _, path, file, flags, actualFlags in
            guard let usual = sqlite3_vfs_find(nil), let file else { return SQLITE_ERROR }
            // A default VFS registered later may need more memory for a file.
            guard Int(usual.pointee.szOsFile) <= slotOffset else { return SQLITE_CANTOPEN }
            let code = usual.pointee.xOpen(usual, path, file, flags, actualFlags)
            guard code == SQLITE_OK else { return code }
            let isReplaced =
                if flags & SQLITE_OPEN_MAIN_DB != 0 {
                    CleanPages.methods.apply(to: file) && CleanPages.recordSize(of: file)
                } else if flags & SQLITE_OPEN_WAL != 0 {
                    BufferedWAL.methods.apply(to: file)
                } else {
                    true
                }
            if isReplaced { return SQLITE_OK }
            // SQLite closes a file only if it has methods.
            _ = file.pointee.pMethods?.pointee.xClose(file)
            file.pointee.pMethods = nil
            return SQLITE_CANTOPEN
        }
        return sqlite3_vfs_register(vfs, 0) == SQLITE_OK
    }()

    /// The offset of two words that follow the default VFS's data of an open file: the file's original methods, and the
    /// word of `slot(of:)`. Unchecked: set before the VFS is registered.
    nonisolated(unsafe) private static var slotOffset = 0

    static func initializeSlots(of file: VFSShim.File, _ usual: VFSShim.Table) {
        let words = UnsafeMutableRawPointer(file) + slotOffset
        words.initializeMemory(as: VFSShim.Table.self, to: usual)
        slot(of: file).initializeMemory(as: Int.self, to: 0)
    }

    /// The default VFS's methods of a file with replaced methods.
    static func usualMethods(of file: VFSShim.File) -> VFSShim.Table {
        (UnsafeMutableRawPointer(file) + slotOffset).load(as: VFSShim.Table.self)
    }

    /// A word of an open file for the replaced methods to use. It starts as 0.
    static func slot(of file: VFSShim.File) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(file) + slotOffset + MemoryLayout<Int>.size
    }
}
