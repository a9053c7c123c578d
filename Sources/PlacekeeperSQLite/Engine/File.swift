import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperService
import PlacekeeperSystem

/// An open regular file. Only the owner can read a file that this type creates.
struct File: ~Copyable {
    private let descriptor: Int32

    init(_ path: String, _ flags: Int32) throws(StoreError) {
        descriptor = try usingPaths { () throws(PathFault) in try RegularFile.open(path, flags) }
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// If root created the file, gives it to the owner of `path`, as SQLite does with its files. A service can then use
    /// files from a command that an administrator ran as root.
    func giveToOwner(of path: String) {
        var status = stat()
        guard geteuid() == 0, stat(path, &status) == 0 else { return }
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }

    /// Removes other users' permissions on the file. Throws if that fails and others may write the file.
    func keepToOwner() throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreError(failed: "fstat", errno) }
        guard status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0, status.st_mode & 0o022 != 0 else { return }
        throw StoreError(.unavailable, "Other users may write the file. Set its mode with chmod 600.")
    }

    /// Opens a file, or creates it for the owner of `other`. Doesn't follow a symbolic link.
    static func orCreate(_ path: String, _ flags: Int32, ownedLike other: String) throws(StoreError) -> File {
        if let file = try existing(path, flags | O_NOFOLLOW) { return file }
        do throws(StoreError) {
            let file = try File(path, flags | O_CREAT | O_EXCL)
            file.giveToOwner(of: other)
            return file
        } catch {
            // Another process may have created it.
            if let file = try existing(path, flags | O_NOFOLLOW) { return file }
            throw error
        }
    }

    /// Opens a file, or returns `nil` if it doesn't exist.
    static func existing(_ path: String, _ flags: Int32) throws(StoreError) -> File? {
        do throws(PathFault) {
            return File(descriptor: try RegularFile.open(path, flags))
        } catch {
            if case .system(_, ENOENT) = error.reason { return nil }
            throw StoreError(error)
        }
    }

    deinit { close(descriptor) }

    /// Takes a lock (flock(2)) for the lifetime of this value.
    func lock(_ mode: Int32) throws(StoreError) {
        while flock(descriptor, mode) != 0 {
            if errno == EWOULDBLOCK { throw StoreError(.unavailable, "Another process uses the file.") }
            guard errno == EINTR else { throw StoreError(failed: "flock", errno) }
        }
    }

    /// Returns the names in a directory.
    static func names(in directory: String) throws(StoreError) -> [String] {
        try usingPaths { () throws(PathFault) in try FileNames.names(in: directory) }
    }

    /// Syncs the directory of a path, so that its names are durable.
    static func syncDirectory(of path: String) throws(StoreError) {
        try usingPaths { () throws(PathFault) in try FileNames.syncDirectory(of: path) }
    }

    func size() throws(StoreError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreError(failed: "fstat", errno) }
        return Int(status.st_size)
    }

    /// Reads up to `count` bytes; none at the end of the file.
    func read(at position: Int, count: Int) throws(StoreError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var result = 0
            repeat {
                result = pread(descriptor, buffer.baseAddress, count, off_t(position))
            } while result < 0
                && errno == EINTR
            if result < 0 { code = errno }
            initialized = max(result, 0)
        }
        guard code == 0 else { throw StoreError(failed: "pread", code) }
        return bytes
    }

    /// Writes all bytes at the file's position, or at the end if it was opened with `O_APPEND`.
    func write(_ bytes: [UInt8]) throws(StoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { PlacekeeperSystem.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StoreError(failed: "write", errno) }
            rest = rest.dropFirst(count)
        }
    }

    func truncate(to size: Int) throws(StoreError) {
        guard try self.size() != size else { return }
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw StoreError(failed: "ftruncate", errno) }
    }

    /// Returns once the file's bytes are durable.
    func sync() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw StoreError(failed: "fsync", errno) }
    }
}

/// Runs `body`, and throws its `PathFault`, if any, as a `StoreError`.
func usingPaths<Value: ~Copyable>(_ body: () throws(PathFault) -> Value) throws(StoreError) -> Value {
    do throws(PathFault) { return try body() } catch { throw StoreError(error) }
}

extension StoreError {
    init(_ fault: PathFault) {
        switch fault.reason {
        case .system(let call, let code): self.init(failed: call, code)
        case .exists: self.init(.exists, "The file exists.")
        case .busy, .changed: self.init(.unavailable, "The file cannot be used.", cause: fault.clause)
        default: self.init(.corrupt, "The file cannot be used.", cause: fault.clause)
        }
    }

    /// Creates an error from a failed system call and its error code.
    init(failed call: String, _ code: Int32) {
        let cause = "\(call): \(String(cString: strerror(code)))"
        if [ENOSPC, EDQUOT, EFBIG].contains(code) {
            self.init(.full, "No space is left for the file.", cause: cause)
        } else {
            self.init(.unavailable, "The file cannot be used.", cause: cause)
        }
    }
}
