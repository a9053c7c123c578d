package import PlacekeeperSystem

/// The kind of a file.
package enum FileKind: Sendable, Hashable {
    case regular, directory, link, pipe, socket, device

    package init(mode: mode_t) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            // A character or block device, or a kind that exists only on some systems.
            default: .device
            }
    }

    var text: String {
        switch self {
        case .regular: "a regular file"
        case .directory: "a directory"
        case .link: "a symbolic link"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .device: "a device"
        }
    }
}

/// The properties that decide whether a file may be opened or replaced.
package struct FileStatus: Sendable, Hashable {
    package let kind: FileKind
    package let owner: uid_t
    /// The permissions, such as `0o600`.
    package let permissions: mode_t
    package let size: Int
    private let device: UInt64
    private let inode: UInt64

    package init(_ status: stat) {
        kind = FileKind(mode: status.st_mode)
        owner = status.st_uid
        permissions = status.st_mode & 0o777
        size = Int(status.st_size)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Returns the status of the file at a path, or nil if there is none. Doesn't open the file.
    package static func of(_ path: String, followingLink: Bool = false) throws(PathFault) -> FileStatus? {
        var status = stat()
        guard (followingLink ? stat(path, &status) : lstat(path, &status)) == 0 else {
            guard errno == ENOENT else { throw PathFault(path, failed: "stat", errno) }
            return nil
        }
        return FileStatus(status)
    }

    package static func of(_ descriptor: Int32, at path: String) throws(PathFault) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw PathFault(path, failed: "fstat", errno) }
        return FileStatus(status)
    }

    /// Whether both describe the same file, possibly at different times.
    package func isOfSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
