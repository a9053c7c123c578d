package import PlacekeeperSystem

/// The kind of file that a path names.
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
            // A device of characters or of blocks, or a kind that only some systems have.
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

/// The properties of a file that decide whether it may be opened or replaced.
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

    /// Returns the status of a path, or nil if nothing has this path. Does not open the file.
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

    /// Whether both are the status of one file, at the same or different times.
    package func isOfSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
