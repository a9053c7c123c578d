import PlacekeeperSystem
import PlacekeeperTokens
import PlacekeeperFiles

/// The content of a key file, and the file's properties when it was read.
struct KeyFile: Sendable {
    /// The properties of a file that change when its content is replaced or its mode is changed.
    struct Stamp: Sendable, Hashable {
        private var device: UInt64
        private var inode: UInt64
        private var mode: UInt32
        private var size: Int64
        private var seconds: Int64
        private var nanoseconds: Int64

        fileprivate init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(status.st_ino)
            mode = UInt32(status.st_mode)
            size = Int64(status.st_size)
            let time = Platform.modificationTime(status)
            seconds = Int64(time.tv_sec)
            nanoseconds = Int64(time.tv_nsec)
        }

        /// Nil if the file can't be found.
        init?(of path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.init(status)
        }
    }

    var bytes: [UInt8]
    var stamp: Stamp
    /// Whether users other than its owner may read the file.
    var isShared: Bool

    /// Parses the set of JWKs in the file. Throws if it contains a secret and other users may read the file, because
    /// anyone who knows the secret can create sign-in tokens.
    func keySet() throws(JSONWebKeyError) -> JSONWebKeySet {
        let set = try JSONWebKeySet(json: bytes)
        guard !isShared || !set.keys.contains(where: \.isSecret) else {
            throw JSONWebKeyError("it has a secret, and other users may read it; set its mode with chmod 600")
        }
        return set
    }

    /// Reads a regular file of at most `JSONWebKeySet.maximumBytes` bytes. Never waits for a pipe or a device.
    static func read(_ path: String) throws(JSONWebKeyError) -> KeyFile {
        do throws(PathFault) {
            let (bytes, status) = try RegularFile.read(path, limit: JSONWebKeySet.maximumBytes)
            return KeyFile(bytes: bytes, stamp: Stamp(status), isShared: status.st_mode & 0o077 != 0)
        } catch {
            if case .system = error.reason { throw JSONWebKeyError("it cannot be read: \(error.clause)") }
            throw JSONWebKeyError(error.clause)
        }
    }
}
