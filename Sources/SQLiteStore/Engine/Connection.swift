import CSQLite
import RestorationService

/// One connection to the database, with the statements that it keeps. It has no mutex of its own: whoever owns it
/// lets one thread at a time use it.
final class Connection {
    let handle: OpaquePointer
    /// By their query's number; prepared when first used.
    private var statements: [OpaquePointer?] = []

    /// Opens the file, creating it if need be. Nothing is read yet.
    init(path: String) throws(StoreError) {
        _ = Connection.library
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
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

    /// The kept statement of a query, reset and ready to be bound. Only one use of a query at a time.
    func statement(_ query: Query) throws(StoreError) -> Statement {
        if query.number < statements.count, let kept = statements[query.number] { return Statement(kept) }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, query.sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw StoreError(sqlite: code) }
        while statements.count <= query.number { statements.append(nil) }
        statements[query.number] = prepared
        return Statement(prepared)
    }

    /// Runs statements that are not kept and give no rows.
    func execute(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw StoreError(sqlite: code) }
    }

    /// What the first row of a statement that is not kept has in its first column, as text; nil without a row.
    func value(_ sql: String) throws(StoreError) -> String? {
        try values(sql).first
    }

    /// One column of each row of a statement that is not kept.
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

    /// The row that the last INSERT made.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// How many rows the last INSERT, UPDATE or DELETE touched.
    var changedRows: Int { Int(sqlite3_changes64(handle)) }

    /// How many rows were ever touched by this connection, whether that was committed or not.
    var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Settings of the whole library, made before its first use.
    private static let library: Int32 = placekeeper_sqlite_disable_memory_statistics()
}
