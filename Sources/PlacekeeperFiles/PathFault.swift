import PlacekeeperSystem

/// Why a path can't be used.
package struct PathFault: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// A system call failed.
        case system(call: String, code: Int32)
        /// The path names something other than a regular file.
        case kind(FileKind)
        case tooLong(limit: Int)
        case exists
        case foreignOwner
        /// The file isn't of the kind that may be replaced, such as a backup.
        case foreign(kind: String)
        case inDataDirectory(String)
        /// A file at this path would count as a part of the new file.
        case attached(String)
        /// The name is reserved for a file of a data directory.
        case reserved(String)
        case busy
        case changed
    }

    package var path: String
    package var reason: Reason

    package init(_ path: String, _ reason: Reason) { (self.path, self.reason) = (path, reason) }

    package init(_ path: String, failed call: String, _ code: Int32) {
        self.init(path, .system(call: call, code: code))
    }

    /// The reason as a clause about the file, such as `it is a pipe, and not a regular file`.
    package var clause: String {
        switch reason {
        case .system(_, let code): String(cString: strerror(code))
        case .kind(let kind): "it is \(kind.text), and not a regular file"
        case .tooLong(let limit): "it has more than \(limit) bytes"
        case .exists: "it exists"
        case .foreignOwner: "it belongs to another user"
        case .foreign(let kind): "it is not \(kind)"
        case .inDataDirectory(let directory):
            "\(directory) is a data directory, which is only for the service's own files"
        case .attached(let other): "\(other) exists, and would count as a part of it"
        case .reserved(let name): "only a data directory has a file with the name \(name)"
        case .busy: "another process writes it"
        case .changed: "another process changed it meanwhile"
        }
    }

    /// Whether the disk is full.
    package var isFull: Bool {
        guard case .system(_, let code) = reason else { return false }
        return [ENOSPC, EDQUOT, EFBIG].contains(code)
    }
}
