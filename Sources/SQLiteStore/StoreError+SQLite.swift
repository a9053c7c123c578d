import CSQLite
import RestorationService

extension StoreError {
    /// Translates a result code. The cause names the code alone: SQLite's own message may quote what was stored.
    init(sqlite code: Int32) {
        let cause = "sqlite \(code): \(String(cString: sqlite3_errstr(code)))"
        switch code & 0xFF {
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
