import PlacekeeperSystem

/// A path that a command may write to, because a check found it free or found a file that may be replaced. The check
/// changes nothing.
package struct WritePath: Sendable {
    /// The files that may be replaced.
    package struct Replaceable: Sendable {
        let name: String
        let accepts: @Sendable (_ start: [UInt8]) -> Bool

        /// How many bytes `accepts` gets.
        package static let startSize = 100

        /// - Parameters:
        ///   - name: the kind of file, for errors, such as `a backup of Placekeeper`.
        ///   - accepts: returns whether a file that starts with these bytes may be replaced. A shorter file has fewer
        ///     bytes.
        package init(_ name: String, accepts: @escaping @Sendable (_ start: [UInt8]) -> Bool) {
            (self.name, self.accepts) = (name, accepts)
        }
    }

    package let path: String
    /// The file to be replaced. Nil if the path is free.
    package let old: FileStatus?

    /// Checks a path. Throws if it is in a data directory, or if it is taken by anything but a replaceable regular file
    /// of this process's user.
    ///
    /// - Parameter replaceable: the files that may be replaced. Nil if the path must be free.
    package init(
        _ path: String, replacing replaceable: Replaceable?, outside directories: DataDirectories
    ) throws(PathFault) {
        if let directory = try directories.directory(containing: path) {
            throw PathFault(path, .inDataDirectory(directory))
        }
        self.path = path
        guard let replaceable else {
            if let status = try FileStatus.of(path) {
                throw PathFault(path, status.kind == .regular ? .exists : .kind(status.kind))
            }
            old = nil
            return
        }
        old = try replaceable.file(at: path)
        // For another user's directory, `PartialFile` compares the owners of `old` and of a new file, because network
        // file systems may give root's files another owner.
        guard let old, old.owner != geteuid() else { return }
        let directory = try FileStatus.of(FileNames.directory(of: path), followingLink: true)
        if directory?.owner == geteuid() { throw PathFault(path, .foreignOwner) }
    }
}

extension WritePath.Replaceable {
    /// Returns the status of the file at a path, or nil if there is none. Throws unless it is a regular file that may
    /// be replaced.
    package func file(at path: String) throws(PathFault) -> FileStatus? {
        guard let status = try FileStatus.of(path) else { return nil }
        guard status.kind == .regular else { throw PathFault(path, .kind(status.kind)) }
        let descriptor = try RegularFile.open(path, O_RDONLY | O_NOFOLLOW)
        defer { close(descriptor) }
        try check(descriptor, at: path)
        return try FileStatus.of(descriptor, at: path)
    }

    func check(_ descriptor: Int32, at path: String) throws(PathFault) {
        guard accepts(try RegularFile.start(of: descriptor, count: Self.startSize, at: path)) else {
            throw PathFault(path, .foreign(kind: name))
        }
    }
}

/// The data directories of this machine, where only the service and its store write.
package struct DataDirectories: Sendable {
    /// The name of a file that exists only in data directories.
    private let mark: String
    /// The data directory of this process. The marking file may not exist there yet.
    private let own: String?

    package init(mark: String, own: String?) { (self.mark, self.own) = (mark, own) }

    /// Returns the data directory that contains a path, at any depth, if there is one.
    package func directory(containing path: String) throws(PathFault) -> String? {
        let parent = FileNames.directory(of: path)
        guard let resolved = realpath(parent, nil) else { throw PathFault(path, failed: "realpath", errno) }
        defer { free(resolved) }
        var directory = String(cString: resolved)
        while true {
            if try has(directory) { return directory }
            if directory == "/" { return nil }
            directory = FileNames.directory(of: directory)
        }
    }

    /// Whether a directory is a data directory.
    package func has(_ directory: String) throws(PathFault) -> Bool {
        if try FileStatus.of(directory + "/" + mark) != nil { return true }
        guard let own, let status = try FileStatus.of(own, followingLink: true),
            let other = try FileStatus.of(directory)
        else { return false }
        return status.isOfSameFile(as: other)
    }
}
