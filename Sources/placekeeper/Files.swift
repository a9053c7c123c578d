import CLibrary

/// Reads whole files, up to a size limit.
enum Files {
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Creates a directory that only its owner can access, if it does not exist.
    static func makeDirectory(_ path: String) { mkdir(path, 0o700) }

    /// Returns the bytes of a file, or of standard input for `-`. Fails if the file has more than `limit` bytes.
    static func read(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            var code: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, count in
                let result = CLibrary.read(descriptor, buffer.baseAddress, buffer.count)
                if result < 0 { code = errno }
                count = max(result, 0)
            }
            if code == EINTR { continue }
            if code != 0 { throw unreadable(path, code) }
            if piece.isEmpty { return bytes }
            bytes += piece
        }
        throw CommandFailure(.failure, "\(quoted(path)) exceeds the limit of \(limit) bytes; give a smaller file")
    }

    private static func unreadable(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure(.failure, "cannot read \(quoted(path)): \(String(cString: strerror(code)))")
    }
}
