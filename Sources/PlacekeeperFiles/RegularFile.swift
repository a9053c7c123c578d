package import PlacekeeperSystem

/// Opens, reads and deletes regular files, and nothing else.
package enum RegularFile {
    /// Opens a file and returns its descriptor. Never waits for the other end of a pipe, and never opens a device.
    /// Follows a symbolic link unless `flags` contains `O_NOFOLLOW`. A newly created file is accessible only to its
    /// owner.
    package static func open(_ path: String, _ flags: Int32) throws(PathFault) -> Int32 {
        // Opening a device can have side effects, so check the path first. Another file may take the path in the
        // meantime, so check the open file too.
        let status = try FileStatus.of(path, followingLink: flags & O_NOFOLLOW == 0)
        if let status { try check(status.kind, path) }
        let descriptor = PlacekeeperSystem.open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw PathFault(path, failed: "open", errno) }
        do throws(PathFault) {
            try check(try FileStatus.of(descriptor, at: path).kind, path)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Returns a file's bytes and status. Throws `tooLong` if it has more than `limit` bytes.
    package static func read(_ path: String, limit: Int) throws(PathFault) -> (bytes: [UInt8], status: stat) {
        let descriptor = try open(path, O_RDONLY)
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw PathFault(path, failed: "fstat", errno) }
        return (try readAll(descriptor, limit: limit, at: path), status)
    }

    /// Returns all bytes of an open file or a pipe. Throws `tooLong` if there are more than `limit`.
    package static func readAll(_ descriptor: Int32, limit: Int, at path: String) throws(PathFault) -> [UInt8] {
        var bytes: [UInt8] = []
        // The file may grow while it is read, so checking its size first isn't enough.
        while bytes.count <= limit {
            var code: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, count in
                let result = PlacekeeperSystem.read(descriptor, buffer.baseAddress, buffer.count)
                if result < 0 { code = errno }
                count = max(result, 0)
            }
            if code == EINTR { continue }
            if code != 0 { throw PathFault(path, failed: "read", code) }
            if piece.isEmpty { return bytes }
            bytes += piece
        }
        throw PathFault(path, .tooLong(limit: limit))
    }

    /// Returns the first `count` bytes of an open file, or all of a shorter one.
    static func start(of descriptor: Int32, count: Int, at path: String) throws(PathFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let read = pread(descriptor, &bytes, count, 0)
            if read >= 0 { return Array(bytes.prefix(read)) }
            guard errno == EINTR else { throw PathFault(path, failed: "pread", errno) }
        }
    }

    /// Deletes a regular file. Does nothing if there is none, or if the path names something else.
    package static func remove(_ path: String) {
        if let status = try? FileStatus.of(path), status.kind == .regular { unlink(path) }
    }

    private static func check(_ kind: FileKind, _ path: String) throws(PathFault) {
        guard kind == .regular else { throw PathFault(path, .kind(kind)) }
    }
}
