import CSQLite
import Glibc
import RestorationService

extension StoreError {
    /// Translates the result code of the call that was just made. The cause names codes alone: SQLite's own message may
    /// quote what was stored.
    init(sqlite code: Int32) {
        // What the system said. sqlite3_system_errno does not know it where it was the commit that failed.
        let system = code & 0xFF == SQLITE_IOERR ? errno : 0
        var cause = "sqlite \(code): \(String(cString: sqlite3_errstr(code)))"
        if system != 0 { cause += ": \(String(cString: strerror(system)))" }
        switch code & 0xFF {
        // SQLite takes a full disk for one, but neither a quota nor a limit of the process.
        case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(system):
            self.init(.full, "No room is left for the database.", cause: cause)
        case SQLITE_FULL:
            self.init(.full, "No room is left for the database.", cause: cause)
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(.unavailable, "The database is locked by another process.", cause: cause)
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            self.init(.corrupt, "The database's file is damaged, or is none.", cause: cause)
        case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_SCHEMA:
            self.init(.corrupt, "The database is not laid out as expected.", cause: cause)
        default:
            self.init(.unavailable, "The database cannot be reached.", cause: cause)
        }
    }

    static func corrupt(_ message: String) -> StoreError { StoreError(.corrupt, message) }
}
