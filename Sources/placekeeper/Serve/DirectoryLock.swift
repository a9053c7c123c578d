import PlacekeeperSystem

/// A lock that stops a second service from using a data directory (docs/decisions/0004-commands-open-the-database.md).
enum DirectoryLock {
    /// Locks the directory until this process ends. Returns false if the directory cannot be opened, for example
    /// because it does not exist yet.
    static func take(_ directory: String) throws(CommandFailure) -> Bool {
        // The lock is on the directory itself, so no lock file is left behind.
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // No error is thrown here, because the database reports a better error when it opens the directory.
        guard descriptor >= 0 else { return false }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        let code = errno
        close(descriptor)
        // Some file systems have no such locks. On these file systems a second service cannot be detected.
        guard code == EWOULDBLOCK else { return true }
        throw CommandFailure(
            .unavailable,
            "another service runs on \(quoted(directory)); stop that service, or give another directory with --data")
    }
}
