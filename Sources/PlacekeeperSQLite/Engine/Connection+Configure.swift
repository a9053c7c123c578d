import CPlacekeeperSQLite
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

extension Connection {
    /// The application id in the header of Placekeeper's database files: `PLKP`.
    static let applicationID: Int64 = 0x504C_4B50

    /// Applies the settings that all connections share.
    func configure(lockTimeout: Duration) throws(StoreError) {
        setLockTimeout(lockTimeout)
        // A crafted schema must not do harm.
        for (flag, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
        ] as [(Int32, Int32)] {
            _ = placekeeper_sqlite_set_flag(handle, flag, value)
        }
        // With memory mapping, an I/O error would crash the process, and a stray write could damage the database
        // (docs/decisions/0066-the-database-is-not-mapped.md).
        try execute(
            """
            PRAGMA mmap_size = 0;
            PRAGMA temp_store = MEMORY;
            """)
    }

    /// Configures this connection for writing. Accepts an empty file or one of Placekeeper's; rejects any other without
    /// changing it.
    func configureWriter(lockTimeout: Duration) throws(StoreError) {
        try refuseForeignFile()
        // Set the page size before the first write.
        try execute("PRAGMA page_size = \(Connection.pageSize); PRAGMA auto_vacuum = NONE")
        // `CleanPages` doesn't handle the extra pages of a database with auto-vacuum.
        guard try value("PRAGMA auto_vacuum") == "0" else {
            throw StoreError(.corrupt, "The database uses automatic vacuuming, which placekeeper does not support.")
        }
        guard try useWriteAheadLog(within: lockTimeout) else {
            throw StoreError(
                .unavailable,
                "The data directory's file system does not support a write-ahead log: use a local file system.")
        }
        try execute(
            """
            PRAGMA synchronous = FULL;
            PRAGMA secure_delete = TRUE;
            PRAGMA cache_size = -65536;
            PRAGMA wal_autocheckpoint = 0;
            PRAGMA journal_size_limit = \(Checkpointing.keptBytes);
            """)
        // With FULL (2), acknowledged writes survive a power loss. With NORMAL, thousands of them were lost in a test.
        guard try value("PRAGMA synchronous") == "2" else {
            throw StoreError(.unavailable, "The database does not sync its commits.")
        }
        BufferedWAL.forgetAfterRollbacks(of: handle)
    }

    /// Switches the file to a write-ahead log. Returns false if the file system doesn't support one.
    ///
    /// If two processes switch a new file at the same moment, SQLite immediately rejects one of them, ignoring its busy
    /// timeout. So this method retries until `lockTimeout` has passed.
    private func useWriteAheadLog(within lockTimeout: Duration) throws(StoreError) -> Bool {
        let start = ContinuousClock.now
        while true {
            do throws(StoreError) {
                return try value("PRAGMA journal_mode = WAL") == "wal"
            } catch {
                guard sqlite3_errcode(handle) == SQLITE_BUSY, ContinuousClock.now - start < lockTimeout else {
                    throw error
                }
                usleep(1000)
            }
        }
    }

    /// The page size in bytes. An upload changes few rows on many pages, and the log stores whole pages. With 8 KiB
    /// pages, the 99th percentile of uploads' latency was a third higher.
    static let pageSize = 4096

    private func refuseForeignFile() throws(StoreError) {
        // Count the tables before reading the application id. Another process may be creating the tables right now, and
        // sets the id in the same transaction. So if there are tables, the id is already set when it is read.
        let tables = try value("SELECT count(*) FROM sqlite_schema")
        let mark = try value("PRAGMA application_id")
        if mark == String(Connection.applicationID) { return }
        // Accept a file without tables: a process may have stopped right after creating it.
        if mark == "0", tables == "0" { return }
        throw StoreError(.corrupt, "The database file belongs to another program, and was not changed.")
    }
}
