import PlacekeeperSystem

/// A lock that prevents a second service from using a data directory
/// (docs/decisions/0004-commands-open-the-database.md).
enum DirectoryLock {
    /// Locks the directory until this process ends. Returns false if the directory can't be opened, for example because
    /// it doesn't exist yet.
    static func take(_ directory: String) throws(CommandFailure) -> Bool {
        // Lock the directory itself, so no lock file is left behind.
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Don't throw: the database reports a better error when it opens the directory.
        guard descriptor >= 0 else { return false }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        let code = errno
        close(descriptor)
        // Some file systems don't support such locks, so a second service can't be detected there.
        guard code == EWOULDBLOCK else { return true }
        throw CommandFailure(
            .unavailable,
            "another service runs on \(quoted(directory)); stop that service, or give another directory with --data")
    }
}
