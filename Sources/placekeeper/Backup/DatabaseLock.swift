import PlacekeeperSystem
import PlacekeeperFiles
import PlacekeeperSQLite

/// A lock that keeps commands and `backup restore` apart. The lock is on the database file. The commands that open the
/// database share the lock. `backup restore` replaces the file, and holds the lock alone. A service holds the lock of
/// the directory instead (`DirectoryLock`).
///
/// This process never closes the file: closing it would release SQLite's own locks on the file (POSIX locks).
enum DatabaseLock {
    /// Shares the lock with other commands until this process ends. Does nothing if there is no database.
    static func share(_ directory: String) throws(CommandFailure) {
        guard try take(directory, LOCK_SH) else {
            throw CommandFailure(
                .unavailable, "the database in \(quoted(directory)) is being restored; repeat this command afterward")
        }
    }

    /// Keeps all other commands from the database until this process ends. Does nothing if there is no database.
    static func takeAlone(_ directory: String) throws(CommandFailure) {
        guard try take(directory, LOCK_EX) else {
            throw CommandFailure(
                .unavailable,
                "another command uses the database in \(quoted(directory)); wait until that command has ended")
        }
    }

    /// Returns false if another process holds the lock.
    private static func take(_ directory: String, _ kind: Int32) throws(CommandFailure) -> Bool {
        let path = directory + "/" + SQLiteStore.fileName
        // No error is thrown here, because the database reports a better error when it opens the file.
        guard let descriptor = try? RegularFile.open(path, O_RDONLY | O_NOFOLLOW) else { return true }
        // Some file systems have no such locks. On these file systems another command cannot be detected.
        guard flock(descriptor, kind | LOCK_NB) == 0 else { return errno != EWOULDBLOCK }
        var (held, current) = (stat(), stat())
        // If a restore replaced the file before the lock was taken, the lock is on the old file.
        return fstat(descriptor, &held) == 0 && stat(path, &current) == 0 && held.st_ino == current.st_ino
    }
}
