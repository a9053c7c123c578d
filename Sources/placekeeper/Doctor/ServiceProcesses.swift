import PlacekeeperFiles
import PlacekeeperSQLite
import PlacekeeperSystem

/// The processes that use a data directory, as far as this process may see them. Empty on systems without `/proc`.
struct ServiceProcesses {
    /// The running service: a process of `placekeeper` that holds the directory open.
    private(set) var service: Int32?
    /// Other programs that have the SQLite database open.
    private(set) var strangers: [(process: Int32, name: String)] = []

    init(of directory: String) {
        guard let folder = try? FileStatus.of(directory, followingLink: true) else { return }
        let database = [SQLiteStore.fileName, SQLiteStore.fileName + "-wal"].compactMap {
            try? FileStatus.of(directory + "/" + $0)
        }
        let own = Self.program(of: getpid())
        for process in Self.names(in: "/proc").compactMap({ Int32($0) }) where process != getpid() {
            guard let program = Self.program(of: process) else { continue }
            let isOurs = program == "placekeeper" || program == own
            for name in Self.names(in: "/proc/\(process)/fd") {
                guard let file = try? FileStatus.of("/proc/\(process)/fd/\(name)", followingLink: true) else {
                    continue
                }
                if isOurs, file.isOfSameFile(as: folder) { service = process }
                if !isOurs, database.contains(where: { $0.isOfSameFile(as: file) }) {
                    strangers.append((process, program))
                    break
                }
            }
        }
    }

    /// The names in a directory. Empty if this process may not see it.
    private static func names(in directory: String) -> [String] { (try? FileNames.names(in: directory)) ?? [] }

    /// Returns the hard limit on open files of a process, or nil if it can't be read.
    static func fileLimit(of process: Int32) -> Int? {
        guard let text = text(of: "/proc/\(process)/limits") else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        guard let words = line?.split(separator: " "), words.count >= 5 else { return nil }
        return words[4] == "unlimited" ? .max : Int(words[4])
    }

    /// The name of a process's program. Nil if the process isn't this user's.
    private static func program(of process: Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/\(process)/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        // After an update, the running program's file is gone.
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(" (deleted)") ? String(name.dropLast(10)) : name
    }

    private static func text(of path: String) -> String? {
        (try? RegularFile.read(path, limit: 64 << 10)).map { String(decoding: $0.bytes, as: UTF8.self) }
    }
}
