package import PlacekeeperClient

/// Files in memory, with simulated faults of a disk and of a process.
package final class MemoryFiles: FileSystem {
    private var files: [String: [UInt8]] = [:]
    /// The error of every operation, as if the device were locked or the disk full. Nil if operations succeed.
    package var fault: FileError?
    /// The number of changes after which the process is killed. Nil if the process isn't killed.
    package var changesUntilKill: Int?
    /// Whether the process was killed. If so, every operation fails and changes nothing.
    package private(set) var isKilled = false

    package init() {}

    /// Returns a copy of the files, as in a backup.
    package func copy() -> MemoryFiles {
        let copy = MemoryFiles()
        copy.files = files
        return copy
    }

    /// Starts a new process on the same files.
    package func restart() { (isKilled, changesUntilKill) = (false, nil) }

    /// The paths of all files, sorted.
    package var paths: [String] { files.keys.sorted() }

    package subscript(path: String) -> [UInt8]? {
        get { files[path] }
        set { files[path] = newValue }
    }

    package func names(in folder: String) throws(FileError) -> [String] {
        try check()
        let prefix = folder + "/"
        return Set(
            files.keys.filter { $0.hasPrefix(prefix) }.compactMap { path in
                path.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
            }
        ).sorted()
    }

    package func read(_ path: String, limit: Int) throws(FileError) -> [UInt8]? {
        try check()
        guard let bytes = files[path] else { return nil }
        guard bytes.count <= limit else { throw .tooLarge }
        return bytes
    }

    package func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        try change()
        files[path] = bytes
    }

    package func rename(_ path: String, to new: String) throws(FileError) -> Bool {
        try change()
        if let bytes = files.removeValue(forKey: path) {
            files[new] = bytes
            return true
        }
        let moved = files.keys.filter { $0.hasPrefix(path + "/") }
        for old in moved { files[new + old.dropFirst(path.count)] = files.removeValue(forKey: old) }
        return !moved.isEmpty
    }

    package func remove(_ path: String) throws(FileError) {
        try change()
        files[path] = nil
        for child in files.keys where child.hasPrefix(path + "/") { files[child] = nil }
    }

    private func check() throws(FileError) {
        if isKilled { throw .system(0) }
        if let fault { throw fault }
    }

    private func change() throws(FileError) {
        try check()
        guard let left = changesUntilKill else { return }
        guard left > 0 else {
            isKilled = true
            throw .system(0)
        }
        changesUntilKill = left - 1
    }
}
