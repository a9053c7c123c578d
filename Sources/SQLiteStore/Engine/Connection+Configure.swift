import CSQLite
import RestorationService

extension Connection {
    /// What a file of ours says in its header: `PLKP`.
    static let applicationID: Int64 = 0x504C_4B50

    /// Settings that every connection has.
    func configure(lockTimeout: Duration) throws(StoreError) {
        sqlite3_busy_timeout(handle, Int32(clamping: lockTimeout.wholeMilliseconds))
        // What a crafted file could do through its schema is turned off.
        for (flag, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
        ] as [(Int32, Int32)] {
            _ = placekeeper_sqlite_set_flag(handle, flag, value)
        }
        // What fails under a mapping ends the process, and a stray write through it would damage the database
        // (docs/decisions/0066-the-database-is-not-mapped.md).
        try execute(
            """
            PRAGMA mmap_size = 0;
            PRAGMA temp_store = MEMORY;
            """)
    }

    /// Makes this the connection that writes. Takes a file that is empty or ours and refuses any other, untouched.
    func configureWriter(maximumPages: Int?) throws(StoreError) {
        try refuseForeignFile()
        // The size of a page is settled with the first write.
        try execute("PRAGMA page_size = \(Connection.pageSize)")
        guard try value("PRAGMA journal_mode = WAL") == "wal" else {
            throw StoreError(.unavailable, "The data directory's file system cannot hold a write-ahead log.")
        }
        try execute(
            """
            PRAGMA synchronous = FULL;
            PRAGMA secure_delete = TRUE;
            PRAGMA cache_size = -65536;
            PRAGMA wal_autocheckpoint = 0;
            PRAGMA journal_size_limit = \(Checkpointing.keptBytes);
            """)
        // FULL (2) is what makes an acknowledged write outlive a loss of power: NORMAL was measured to lose thousands.
        guard try value("PRAGMA synchronous") == "2" else {
            throw StoreError(.unavailable, "The database does not sync its commits.")
        }
        if let maximumPages { try execute("PRAGMA max_page_count = \(maximumPages)") }
    }

    /// An upload changes few rows on many pages, and each page goes into the log whole: with 8 KiB a group of uploads took
    /// a third longer at the 99th percentile.
    static let pageSize = 4096

    private func refuseForeignFile() throws(StoreError) {
        let mark = try value("PRAGMA application_id")
        if mark == String(Connection.applicationID) { return }
        // A file without tables is ours to take: we may have been stopped right after making it.
        let tables = try value("SELECT count(*) FROM sqlite_schema")
        if mark == "0", tables == "0" { return }
        throw StoreError(.corrupt, "The database's file was written by another program; it was left as it is.")
    }
}
