import PlacekeeperSystem
import PlacekeeperFiles

/// Checks the paths given to a command, and reads whole files.
enum Files {
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Creates a directory, by default accessible only to its owner. Returns false if it already exists.
    @discardableResult
    static func makeDirectory(_ path: String, mode: mode_t = 0o700) throws(CommandFailure) -> Bool {
        if mkdir(path, mode) == 0 {
            do throws(PathFault) { try FileNames.syncName(ofDirectory: path) } catch {
                throw CommandFailure(writing: error)
            }
            return true
        }
        let code = errno
        var status = stat()
        guard code == EEXIST, stat(path, &status) == 0 else {
            throw CommandFailure(
                .unavailable, "cannot create the directory \(quoted(path)): \(String(cString: strerror(code)))")
        }
        guard FileKind(mode: status.st_mode) == .directory else {
            throw CommandFailure(.unavailable, "\(quoted(path)) is not a directory; give another with --data")
        }
        return false
    }

    /// Returns the content of a regular file, or of standard input for `-`. Fails if it exceeds `limit` bytes.
    static func read(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        do throws(PathFault) {
            if path == "-" { return try RegularFile.readAll(STDIN_FILENO, limit: limit, at: path) }
            return try RegularFile.read(path, limit: limit).bytes
        } catch {
            throw CommandFailure(reading: error)
        }
    }
}

extension CommandFailure {
    init(reading fault: PathFault) {
        self.init(.failure, "cannot read \(quoted(fault.path)): \(fault.clause)")
    }

    /// - Parameter advice: what to do if the path is refused.
    init(writing fault: PathFault, _ advice: String = "give another path") {
        if case .system = fault.reason {
            self.init(
                fault.isFull ? .unavailable : .failure, "cannot write \(quoted(fault.path)): \(fault.clause)")
        } else {
            self.init(.failure, "cannot write \(quoted(fault.path)): \(fault.clause); \(advice)")
        }
    }
}
