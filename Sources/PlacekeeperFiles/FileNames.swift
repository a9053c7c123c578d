import PlacekeeperSystem

/// Gives names to files, without a moment at which a file could be lost.
package enum FileNames {
    /// Gives the file `new` the name `path` in the same directory, and returns when the name is durable.
    ///
    /// - Parameter old: the file that has the name, as it was looked at. The new file replaces it, and nothing else: if
    ///   another file has the name now, throws `changed`, and both files keep their names. Nil if the name must be free:
    ///   throws `exists` otherwise.
    package static func give(_ path: String, to new: String, replacing old: FileStatus?) throws(PathFault) {
        if let old { try replace(old, at: path, by: new) } else { try rename(new, toFree: path) }
        try syncDirectory(of: path)
    }

    private static func replace(_ old: FileStatus, at path: String, by new: String) throws(PathFault) {
        let code = Platform.exchange(new, path)
        if code == EINVAL || code == ENOSYS {
            // The file system cannot exchange names. So a file that gets the name at this very moment is replaced.
            try check(path, is: old)
            guard PlacekeeperSystem.rename(new, path) == 0 else { throw PathFault(path, failed: "rename", errno) }
            return
        }
        guard code == 0 else {
            throw code == ENOENT ? PathFault(path, .changed) : PathFault(path, failed: "rename", code)
        }
        do throws(PathFault) {
            try check(new, is: old)
        } catch {
            _ = Platform.exchange(new, path)
            throw PathFault(path, .changed)
        }
        unlink(new)
    }

    private static func check(_ path: String, is old: FileStatus) throws(PathFault) {
        guard let status = try FileStatus.of(path), status.isOfSameFile(as: old) else {
            throw PathFault(path, .changed)
        }
    }

    private static func rename(_ new: String, toFree path: String) throws(PathFault) {
        var code = Platform.renameToNew(new, path)
        if code == EINVAL || code == ENOSYS {
            code = link(new, path) == 0 ? 0 : errno
            if code == 0 { unlink(new) }
        }
        if [EPERM, ENOTSUP, ENOSYS].contains(code), try FileStatus.of(path) == nil {
            // The file system has no second names for a file either.
            code = PlacekeeperSystem.rename(new, path) == 0 ? 0 : errno
        }
        guard code == 0 else {
            throw code == EEXIST ? PathFault(path, .exists) : PathFault(path, failed: "rename", code)
        }
    }

    /// Returns when the names in the directory of a path are durable.
    package static func syncDirectory(of path: String) throws(PathFault) {
        let directory = directory(of: path)
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PathFault(directory, failed: "open", errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw PathFault(directory, failed: "fsync", errno) }
    }

    /// Returns the path of the directory that a path is in.
    package static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
