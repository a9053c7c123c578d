import CPlacekeeperSQLite
import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperService

/// A connection to the database, with its cached statements. It has no mutex: its owner must let only one thread use it
/// at a time.
final class Connection {
    let handle: OpaquePointer
    /// The cached statements, by query number. A statement is prepared on first use.
    private var statements: [OpaquePointer?] = []
    /// The maximum time to wait for another connection's lock.
    private(set) var lockTimeout: Duration = .zero
    /// Whether a checkpoint on this connection failed to sync the database.
    var hasFailedSync = false

    /// Opens the file, and creates it if needed. Doesn't read it yet.
    init(path: String) throws(StoreError) {
        _ = Connection.library
        // SQLite would wait for the other end of a pipe. For a link, it would put the log beside the link's target,
        // where no erasure would find it.
        let kind = try usingPaths { () throws(PathFault) in try FileStatus.of(path)?.kind }
        if let kind, kind != .regular {
            throw StoreError(
                .corrupt, "The database file cannot be used.", cause: PathFault(path, .kind(kind)).clause)
        }
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        guard DatabaseFiles.isRegistered else { throw StoreError(.unavailable, "SQLite cannot be used.") }
        let code = sqlite3_open_v2(path, &handle, flags, DatabaseFiles.name)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw StoreError(sqlite: code)
        }
        self.handle = handle
    }

    deinit {
        for statement in statements { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Keeps the write-ahead log even if this is the last connection to close.
    func leaveLogOnClose() { _ = placekeeper_sqlite_set_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }

    func setLockTimeout(_ time: Duration) {
        lockTimeout = time
        sqlite3_busy_timeout(handle, Int32(clamping: time.wholeMilliseconds))
    }

    /// Returns the cached statement of a query, reset and ready for binding. Don't use a query twice at the same time.
    func statement(_ query: Query) throws(StoreError) -> Statement {
        if query.number < statements.count, let kept = statements[query.number] { return Statement(kept) }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, query.sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw StoreError(sqlite: code) }
        while statements.count <= query.number { statements.append(nil) }
        statements[query.number] = prepared
        return Statement(prepared)
    }

    /// Runs SQL that returns no rows, without caching the statement.
    func execute(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw StoreError(sqlite: code) }
    }

    /// Returns the first column of the first row as text, or `nil` if there is no row. Doesn't cache the statement.
    func value(_ sql: String) throws(StoreError) -> String? {
        try values(sql).first
    }

    /// Returns one column of each row. Doesn't cache the statement.
    func values(_ sql: String, column: Int32 = 0) throws(StoreError) -> [String] {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw StoreError(sqlite: code) }
        defer { sqlite3_finalize(prepared) }
        var values: [String] = []
        while true {
            let code = sqlite3_step(prepared)
            if code == SQLITE_DONE { return values }
            guard code == SQLITE_ROW else { throw StoreError(sqlite: code) }
            values.append(sqlite3_column_text(prepared, column).map { String(cString: $0) } ?? "")
        }
    }

    /// The row id of the last inserted row.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows changed by the last INSERT, UPDATE or DELETE.
    var changedRows: Int { Int(sqlite3_changes64(handle)) }

    /// The number of rows changed since this connection was opened, including changes that were rolled back.
    var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Settings of the whole SQLite library, applied before the first connection is opened.
    private static let library: Int32 = placekeeper_sqlite_disable_memory_statistics()
}
