import PlacekeeperSystem

/// A new file next to the path it is meant for. It moves there once it is complete. Only its owner can access it.
///
/// A killed process leaves the file behind. The next process that writes to the same path empties and reuses it.
package struct PartialFile: ~Copyable {
    /// The path of the partial file itself.
    package let path: String
    package let descriptor: Int32
    private let target: WritePath

    /// Creates the file and locks it. Throws `busy` if another process is writing to the same path.
    ///
    /// - Parameter leftover: the files that a killed process may have left behind.
    package init(for target: WritePath, leftover: WritePath.Replaceable) throws(PathFault) {
        let path = target.path + ".partial"
        let (descriptor, isNew) = try Self.open(path)
        do throws(PathFault) {
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK,
                try Self.isFile(descriptor, at: path)
            else { throw PathFault(path, .busy) }
            let status = try FileStatus.of(descriptor, at: path)
            if !isNew {
                guard status.owner == geteuid() else { throw PathFault(path, .foreignOwner) }
                if status.size > 0 { try leftover.check(descriptor, at: path) }
            }
            // Some network file systems give new files another owner.
            if let old = target.old, old.owner != status.owner { throw PathFault(target.path, .foreignOwner) }
            guard ftruncate(descriptor, 0) == 0, fchmod(descriptor, 0o600) == 0 else {
                throw PathFault(path, failed: "ftruncate", errno)
            }
        } catch {
            if isNew { unlink(path) }
            close(descriptor)
            throw error
        }
        (self.path, self.descriptor, self.target) = (path, descriptor, target)
    }

    deinit { close(descriptor) }

    /// Creates the file, or opens it if it exists.
    private static func open(_ path: String) throws(PathFault) -> (descriptor: Int32, isNew: Bool) {
        do throws(PathFault) {
            return (try RegularFile.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW), true)
        } catch {
            guard case .system(_, EEXIST) = error.reason else { throw error }
            return (try RegularFile.open(path, O_RDWR | O_NOFOLLOW), false)
        }
    }

    private static func isFile(_ descriptor: Int32, at path: String) throws(PathFault) -> Bool {
        guard let status = try FileStatus.of(path) else { return false }
        return status.isOfSameFile(as: try FileStatus.of(descriptor, at: path))
    }

    /// Makes the file durable and moves it to the path it is meant for. Replaces only the file that `WritePath` found
    /// there.
    package func install() throws(PathFault) {
        guard fsync(descriptor) == 0 else { throw PathFault(path, failed: "fsync", errno) }
        guard try Self.isFile(descriptor, at: path) else { throw PathFault(path, .changed) }
        try FileNames.give(target.path, to: path, replacing: target.old)
    }

    /// Deletes the partial file at a path, unless a process is writing it. A power loss or a killed process leaves such
    /// a file.
    package static func removeLeftover(_ path: String) {
        guard let descriptor = try? RegularFile.open(path, O_RDWR | O_NOFOLLOW) else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, (try? isFile(descriptor, at: path)) == true { unlink(path) }
    }

    /// Deletes the file, unless it has already moved to the path it is meant for.
    package func discard() {
        if (try? Self.isFile(descriptor, at: path)) == true { unlink(path) }
    }
}
