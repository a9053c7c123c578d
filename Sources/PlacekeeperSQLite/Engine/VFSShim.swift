import CPlacekeeperSQLite
import Synchronization

/// Copies of the default VFS's method tables with some methods replaced. Each kind of file has its own table, and so
/// its own copy.
final class VFSShim: Sendable {
    typealias Table = UnsafePointer<sqlite3_io_methods>
    typealias File = UnsafeMutablePointer<sqlite3_file>

    /// Unchecked: never changed after creation.
    private struct Copy: @unchecked Sendable {
        let usual: Table
        let replaced: Table
    }

    private let copies = Mutex<[Copy]>([])
    private let replace: @Sendable (inout sqlite3_io_methods) -> Void

    init(_ replace: @escaping @Sendable (inout sqlite3_io_methods) -> Void) { self.replace = replace }

    /// Replaces the methods of a file that the default VFS opened. Returns false if the file has none.
    func apply(to file: File) -> Bool {
        guard let usual = file.pointee.pMethods else { return false }
        DatabaseFiles.initializeSlots(of: file, usual)
        file.pointee.pMethods = copy(of: usual)
        return true
    }

    /// Whether a file's methods are these replacements.
    func isApplied(to file: File) -> Bool {
        guard let methods = file.pointee.pMethods else { return false }
        return copies.withLock { $0 }.contains { $0.replaced == methods }
    }

    private func copy(of usual: Table) -> Table {
        if let copy = copies.withLock({ $0 }).first(where: { $0.usual == usual }) { return copy.replaced }
        let replaced = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        replaced.initialize(to: usual.pointee)
        replace(&replaced.pointee)
        let copy = Copy(usual: usual, replaced: replaced)
        copies.withLock { $0.append(copy) }
        return copy.replaced
    }
}
