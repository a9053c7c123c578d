import CPlacekeeperSQLite
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

extension StoreError {
    /// Creates an error from the result code of the last call. The cause contains only codes, because SQLite's own
    /// message may quote stored values.
    init(sqlite code: Int32) {
        // `errno` is the system's error code. After a failed commit, sqlite3_system_errno doesn't return it.
        let system = code & 0xFF == SQLITE_IOERR ? errno : 0
        var cause = "sqlite \(code): \(String(cString: sqlite3_errstr(code)))"
        if system != 0 { cause += ": \(String(cString: strerror(system)))" }
        switch code & 0xFF {
        // SQLite reports a full disk as SQLITE_FULL, but an exceeded quota or process limit as SQLITE_IOERR.
        case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(system):
            self.init(.full, "No space is left for the database.", cause: cause)
        case SQLITE_FULL:
            self.init(.full, "No space is left for the database.", cause: cause)
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(.unavailable, "The database is locked by another process.", cause: cause)
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            self.init(.corrupt, "The database file is damaged, or is not a database.", cause: cause)
        case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_SCHEMA:
            self.init(.corrupt, "The database does not have the expected schema.", cause: cause)
        default:
            self.init(.unavailable, "The database cannot be reached.", cause: cause)
        }
    }
}
