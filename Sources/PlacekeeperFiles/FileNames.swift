import PlacekeeperSystem

/// Names files in a way that never risks losing one.
package enum FileNames {
    /// Returns the names in a directory.
    package static func names(in directory: String) throws(PathFault) -> [String] {
        guard let stream = opendir(directory) else { throw PathFault(directory, failed: "opendir", errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
                })
        }
        return names
    }

    /// Renames the file `new` to `path` in the same directory. Returns once the name is durable.
    ///
    /// - Parameter old: the file at `path`, as seen before; nil if the name must be free. No other file is replaced: if
    ///   another file has the name by now, throws `changed`, and that file and `new` keep their names. Throws `exists`
    ///   if the name must be free but isn't.
    package static func give(_ path: String, to new: String, replacing old: FileStatus?) throws(PathFault) {
        if let old { try replace(old, at: path, by: new) } else { try rename(new, toFree: path) }
        try syncDirectory(of: path)
    }

    private static func replace(_ old: FileStatus, at path: String, by new: String) throws(PathFault) {
        let code = Platform.exchange(new, path)
        if code == EINVAL || code == ENOSYS {
            // The file system can't exchange names, so a file created here between the check and the rename is lost.
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
            // The file system has no hard links either.
            code = PlacekeeperSystem.rename(new, path) == 0 ? 0 : errno
        }
        guard code == 0 else {
            throw code == EEXIST ? PathFault(path, .exists) : PathFault(path, failed: "rename", code)
        }
    }

    /// Makes the names in a path's directory durable.
    package static func syncDirectory(of path: String) throws(PathFault) {
        let directory = directory(of: path)
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PathFault(directory, failed: "open", errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw PathFault(directory, failed: "fsync", errno) }
    }

    /// Makes the name of a new directory durable, if this process may read the parent.
    package static func syncName(ofDirectory path: String) throws(PathFault) {
        do throws(PathFault) {
            // The path may end in a slash.
            try syncDirectory(of: path + "/../.")
        } catch {
            guard error.reason == .system(call: "open", code: EACCES) else { throw error }
        }
    }

    /// Returns the directory of a path.
    package static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
