import CPlacekeeperSQLite
import PlacekeeperStoreConformance
import Synchronization

/// A disk below a directory. It counts SQLite's writes, syncs and truncations of files, and can make one of them fail. It
/// also knows what a power loss would leave: only bytes that were synced are certain to be on the disk.
final class FaultyDisk: Sendable {
    enum Fault: CaseIterable {
        /// One operation fails. A write that fails has written half of its bytes. A sync that fails has lost the bytes that
        /// were written since the last sync: the system reports the failure once, and later syncs succeed.
        case once
        /// An operation and all later operations fail.
        case fromThenOn
        /// One operation reports a failure, although the disk has done it.
        case onlyReported
        /// One operation reports a failure, although the disk has done it. After three more operations, all fail.
        case onlyReportedSoonDead
    }

    /// The bytes without a sync that a power loss loses.
    enum Loss: CaseIterable {
        case nothing, everything
        /// About half of the blocks of 4 KiB, counted from the start of each write.
        case half
    }

    private enum Change {
        case write(at: Int, [UInt8])
        case truncation(to: Int)

        func apply(to bytes: inout [UInt8]) {
            switch self {
            case .write(let start, let written):
                let end = start + written.count
                if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
                bytes.replaceSubrange(start..<end, with: written)
            case .truncation(let size):
                bytes.removeLast(max(0, bytes.count - size))
            }
        }

        /// The change in blocks of 4 KiB.
        var blocks: [Change] {
            guard case .write(let start, let written) = self else { return [self] }
            return stride(from: 0, to: written.count, by: 4096).map { offset in
                .write(at: start + offset, Array(written[offset..<min(offset + 4096, written.count)]))
            }
        }
    }

    private struct Contents {
        var synced: [UInt8] = []
        var unsynced: [Change] = []
    }

    private struct State {
        var files: [String: Contents] = [:]
        var operations = 0
        /// Whether a write-ahead log that had bytes was emptied.
        var hasEmptiedLog = false
    }

    private let state = Mutex(State())
    private let failing: Int
    private let fault: Fault

    /// Watches the files below a directory that are opened from now on.
    /// - Parameter failing: the number of the operation that fails, from 1.
    init(below directory: String, failing: Int, _ fault: Fault) {
        self.failing = failing
        self.fault = fault
        Self.watched.withLock { $0.disks[directory] = self }
        _ = Self.isInstalled
    }

    /// Ends the watching of files that are opened from now on.
    static func forget(below directory: String) { watched.withLock { _ = $0.disks.removeValue(forKey: directory) } }

    /// Whether the operation that fails was reached.
    var hasFailed: Bool { state.withLock { $0.operations >= failing } }

    /// Whether a write-ahead log that had bytes was emptied.
    var hasEmptiedLog: Bool { state.withLock { $0.hasEmptiedLog } }

    /// The files' contents after a power loss, by the files' names.
    func contents(losing loss: Loss, seed: UInt64) -> [String: [UInt8]] {
        var numbers = SeededNumbers(seed: seed)
        return state.withLock { state in
            state.files.mapValues { file in
                var bytes = file.synced
                for change in file.unsynced.flatMap(\.blocks) {
                    let isLost = loss == .half ? Bool.random(using: &numbers) : loss == .everything
                    if !isLost { change.apply(to: &bytes) }
                }
                return bytes
            }
        }
    }

    private func write(
        _ file: OpenFile, _ handle: File, _ bytes: UnsafeRawPointer, _ count: Int32, _ offset: sqlite3_int64
    ) -> Int32 {
        state.withLock { state in
            let fails = fails(&state)
            let written = fails && !isDone(state) ? count / 2 : count
            let code = file.usual.pointee.xWrite(handle, bytes, written, offset)
            guard code == SQLITE_OK else { return code }
            let copy = Array(UnsafeRawBufferPointer(start: bytes, count: Int(written)))
            state.files[file.name, default: Contents()].unsynced.append(.write(at: Int(offset), copy))
            return fails ? Self.failedWrite : SQLITE_OK
        }
    }

    private func sync(_ file: OpenFile) -> Int32 {
        state.withLock { state in
            let fails = fails(&state)
            var contents = state.files[file.name] ?? Contents()
            if !fails || isDone(state) { for change in contents.unsynced { change.apply(to: &contents.synced) } }
            contents.unsynced = []
            state.files[file.name] = contents
            return fails ? Self.failedSync : SQLITE_OK
        }
    }

    private func truncate(_ file: OpenFile, _ handle: File, _ size: sqlite3_int64) -> Int32 {
        state.withLock { state in
            let fails = fails(&state)
            if fails, !isDone(state) { return Self.failedTruncation }
            let code = file.usual.pointee.xTruncate(handle, size)
            guard code == SQLITE_OK else { return code }
            if size == 0, file.name.hasSuffix("-wal"), state.files[file.name] != nil { state.hasEmptiedLog = true }
            state.files[file.name, default: Contents()].unsynced.append(.truncation(to: Int(size)))
            return fails ? Self.failedTruncation : SQLITE_OK
        }
    }

    private func fails(_ state: inout State) -> Bool {
        state.operations += 1
        return switch fault {
        case .once, .onlyReported: state.operations == failing
        case .fromThenOn: state.operations >= failing
        case .onlyReportedSoonDead: state.operations == failing || state.operations > failing + 3
        }
    }

    /// Whether the disk does the operation that fails.
    private func isDone(_ state: State) -> Bool {
        [.onlyReported, .onlyReportedSoonDead].contains(fault) && state.operations == failing
    }

    /// The extended result codes `SQLITE_IOERR_WRITE`, `SQLITE_IOERR_FSYNC` and `SQLITE_IOERR_TRUNCATE`, which Swift does
    /// not import.
    private static let (failedWrite, failedSync, failedTruncation) = (
        SQLITE_IOERR | 3 << 8, SQLITE_IOERR | 4 << 8, SQLITE_IOERR | 6 << 8
    )

    private typealias File = UnsafeMutablePointer<sqlite3_file>
    private typealias Methods = UnsafePointer<sqlite3_io_methods>

    /// Unchecked: SQLite's methods do not change.
    private struct OpenFile: @unchecked Sendable {
        let disk: FaultyDisk
        let name: String
        let usual: Methods
    }

    /// Unchecked: SQLite's methods do not change.
    private struct Watched: @unchecked Sendable {
        var disks: [String: FaultyDisk] = [:]
        var files: [UnsafeMutableRawPointer: OpenFile] = [:]
        var methods: [Methods: Methods] = [:]
    }

    private static let watched = Mutex(Watched())

    private static func open(_ handle: File?) -> OpenFile? {
        handle.flatMap { handle in watched.withLock { $0.files[UnsafeMutableRawPointer(handle)] } }
    }

    /// Installs a default VFS, which all tests of the process then use. It changes nothing for files of other directories.
    private static let isInstalled: Bool = {
        guard let system = sqlite3_vfs_find(nil), let name = sqlite3_malloc(32) else { return false }
        let text = Array("faulty-disk".utf8CString)
        name.copyMemory(from: text, byteCount: text.count)
        usual = system
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.zName = UnsafePointer(name.assumingMemoryBound(to: CChar.self))
        vfs.pointee.pNext = nil
        vfs.pointee.xOpen = { _, path, handle, flags, actualFlags in
            guard let usual = FaultyDisk.usual else { return SQLITE_ERROR }
            let code = usual.pointee.xOpen(usual, path, handle, flags, actualFlags)
            if code == SQLITE_OK, let path, let handle { FaultyDisk.watch(handle, String(cString: path)) }
            return code
        }
        return sqlite3_vfs_register(vfs, 1) == SQLITE_OK
    }()

    /// Unchecked: it is set before the VFS is installed.
    nonisolated(unsafe) private static var usual: UnsafeMutablePointer<sqlite3_vfs>?

    private static func watch(_ handle: File, _ path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let directory = parts.dropLast().joined(separator: "/")
        watched.withLock { watched in
            guard let disk = watched.disks[directory], let usual = handle.pointee.pMethods else { return }
            watched.files[UnsafeMutableRawPointer(handle)] = OpenFile(
                disk: disk, name: String(parts.last ?? ""), usual: usual)
            if watched.methods[usual] == nil { watched.methods[usual] = faultyMethods(usual) }
            handle.pointee.pMethods = watched.methods[usual]
        }
    }

    private static func faultyMethods(_ usual: Methods) -> Methods {
        let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        copy.initialize(to: usual.pointee)
        copy.pointee.xWrite = { handle, bytes, count, offset in
            guard let handle, let bytes, let file = FaultyDisk.open(handle) else { return SQLITE_IOERR }
            return file.disk.write(file, handle, bytes, count, offset)
        }
        copy.pointee.xSync = { handle, _ in
            guard let file = FaultyDisk.open(handle) else { return SQLITE_IOERR }
            return file.disk.sync(file)
        }
        copy.pointee.xTruncate = { handle, size in
            guard let handle, let file = FaultyDisk.open(handle) else { return SQLITE_IOERR }
            return file.disk.truncate(file, handle, size)
        }
        copy.pointee.xClose = { handle in
            guard let handle, let file = FaultyDisk.open(handle) else { return SQLITE_IOERR }
            FaultyDisk.watched.withLock { _ = $0.files.removeValue(forKey: UnsafeMutableRawPointer(handle)) }
            return file.usual.pointee.xClose(handle)
        }
        return UnsafePointer(copy)
    }
}
