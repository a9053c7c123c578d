import PlacekeeperSystem
import PlacekeeperFiles
import PlacekeeperSQLite

/// A lock on the database file that keeps commands and `backup restore` apart. Commands that open the database share
/// the lock. `backup restore` replaces the file, so it holds the lock exclusively. A service locks the directory
/// instead (`DirectoryLock`).
///
/// This process never closes the file, because that would release SQLite's own locks on it (POSIX locks).
enum DatabaseLock {
    /// Shares the lock with other commands until this process ends. Does nothing if there is no database.
    static func share(_ directory: String) throws(CommandFailure) {
        guard try take(directory, LOCK_SH) else {
            throw CommandFailure(
                .unavailable, "the database in \(quoted(directory)) is being restored; repeat this command afterward")
        }
    }

    /// Keeps all other commands out of the database until this process ends. Does nothing if there is no database.
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
        // Don't throw: the database reports a better error when it opens the file.
        guard let descriptor = try? RegularFile.open(path, O_RDONLY | O_NOFOLLOW) else { return true }
        // Some file systems don't support such locks, so other commands can't be detected there.
        guard flock(descriptor, kind | LOCK_NB) == 0 else { return errno != EWOULDBLOCK }
        var (held, current) = (stat(), stat())
        // If a restore replaced the file before the lock was taken, the lock is on the old file.
        return fstat(descriptor, &held) == 0 && stat(path, &current) == 0 && held.st_ino == current.st_ino
    }
}
