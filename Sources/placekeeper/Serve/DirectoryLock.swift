import Glibc

/// Keeps a second service out of a data directory (docs/decisions/0046-one-service-to-a-directory.md).
enum DirectoryLock {
    /// Takes the directory for this process, until it ends however it ends. False when there is no such directory yet.
    static func take(_ directory: String) throws(CommandFailure) -> Bool {
        // The lock is on the directory itself: there is no file that someone could remove or that could be left behind.
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Why it cannot be opened is better told by the database.
        guard descriptor >= 0 else { return false }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        let code = errno
        close(descriptor)
        // A file system that has no such locks has no second service either, as far as can be told.
        guard code == EWOULDBLOCK else { return true }
        throw CommandFailure(
            .unavailable, "another service runs on \(quoted(directory)); end it, or give this one its own --data")
    }
}
