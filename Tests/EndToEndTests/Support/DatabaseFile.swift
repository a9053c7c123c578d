import CPlacekeeperSQLite

/// The database of a running service, opened by the tests' process.
final class DatabaseFile {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let handle: OpaquePointer

    convenience init(of service: RunningService) throws {
        try self.init(path: service.data.path + "/placekeeper.sqlite")
    }

    init(path: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw Failure(description: "\(path): \(String(cString: sqlite3_errstr(code)))")
        }
        sqlite3_busy_timeout(handle, 10_000)
        self.handle = handle
    }

    deinit { sqlite3_close_v2(handle) }

    /// Returns the errors that SQLite's checks find.
    func findings() throws -> [String] {
        try rows("PRAGMA integrity_check").filter { $0 != "ok" } + rows("PRAGMA foreign_key_check")
    }

    /// Overwrites the bytes of the archive that was stored first. No other process may have the database open.
    func damageFirstArchive() throws {
        _ = try rows("UPDATE content SET bytes = zeroblob(length(bytes)) WHERE id = (SELECT min(content) FROM archive)")
    }

    /// Holds the database's write lock while `body` runs.
    func locked<Value>(_ body: () throws -> Value) throws -> Value {
        _ = try rows("BEGIN IMMEDIATE")
        let result = Result { try body() }
        _ = try rows("ROLLBACK")
        return try result.get()
    }

    func run(_ sql: String) throws { _ = try rows(sql) }

    /// Returns the first column of a statement's rows.
    private func rows(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        var code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while code == SQLITE_OK || code == SQLITE_ROW {
            code = sqlite3_step(statement)
            if code == SQLITE_ROW { rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "") }
        }
        guard code == SQLITE_DONE else {
            throw Failure(description: "\(sql): \(String(cString: sqlite3_errstr(code)))")
        }
        return rows
    }
}
