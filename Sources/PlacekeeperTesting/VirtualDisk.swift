import PlacekeeperConcurrency
import PlacekeeperClient

/// The disk of a virtual device, and the lifetime of the process that uses it.
final class VirtualDisk: Sendable {
    private struct State {
        let files = MemoryFiles()
        var isLocked = false
        var isFull = false
        /// The number of the current process.
        var process = 0
        /// The number of file changes after which the process ends. Nil if it doesn't end.
        var changesLeft: Int?
        var hasEnded = false
    }

    private let state = LockBox(State())

    var isLocked: Bool {
        get { state.withLock(\.isLocked) }
        set { state.withLock { $0.isLocked = newValue } }
    }

    var isFull: Bool {
        get { state.withLock(\.isFull) }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Returns another disk with the same files.
    func copy() -> VirtualDisk {
        let files = state.withLock { state in state.files.paths.map { ($0, state.files[$0]) } }
        let copy = VirtualDisk()
        copy.state.withLock { state in for (path, bytes) in files { state.files[path] = bytes } }
        return copy
    }

    /// Ends the current process, and returns the number of the next one.
    func nextProcess() -> Int {
        state.withLock { state in
            state.process += 1
            (state.changesLeft, state.hasEnded) = (nil, false)
            return state.process
        }
    }

    /// Ends the current process after a number of file changes.
    func end(afterChanges count: Int) { state.withLock { $0.changesLeft = count } }

    /// Whether a process is running.
    func runs(_ process: Int) -> Bool { state.withLock { $0.process == process && !$0.hasEnded } }

    /// Performs an operation of a process on the files.
    func access<Value: Sendable>(
        by process: Int, isChange: Bool = false, _ body: (MemoryFiles) throws(FileError) -> Value
    ) throws(FileError) -> Value {
        let result = state.withLock { state -> Result<Value, FileError> in
            guard state.process == process, !state.hasEnded else { return .failure(.system(0)) }
            guard !state.isLocked else { return .failure(.locked) }
            if isChange {
                guard !state.isFull else { return .failure(.noSpace) }
                if state.changesLeft == 0 {
                    state.hasEnded = true
                    return .failure(.system(0))
                }
                state.changesLeft = state.changesLeft.map { $0 - 1 }
            }
            do throws(FileError) { return .success(try body(state.files)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

/// A virtual device's files, as used by one of its processes. After the process has ended, every operation fails and
/// changes nothing.
final class ProcessFiles: FileSystem {
    private let disk: VirtualDisk
    private let process: Int

    init(_ disk: VirtualDisk, _ process: Int) {
        self.disk = disk
        self.process = process
    }

    func names(in folder: String) throws(FileError) -> [String] {
        try disk.access(by: process) { (files) throws(FileError) in try files.names(in: folder) }
    }

    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8]? {
        try disk.access(by: process) { (files) throws(FileError) in try files.read(path, limit: limit) }
    }

    func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        try disk.access(by: process, isChange: true) { (files) throws(FileError) in try files.write(bytes, to: path) }
    }

    func rename(_ path: String, to new: String) throws(FileError) -> Bool {
        try disk.access(by: process, isChange: true) { (files) throws(FileError) in try files.rename(path, to: new) }
    }

    func remove(_ path: String) throws(FileError) {
        try disk.access(by: process, isChange: true) { (files) throws(FileError) in try files.remove(path) }
    }
}
