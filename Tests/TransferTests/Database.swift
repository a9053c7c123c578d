import CPlacekeeperSQLite
import Testing

/// The file of a SQLite database, for statements that no store has.
enum Database {
    static func run(_ sql: String, in path: String) throws { _ = try texts(sql, in: path) }

    static func number(_ sql: String, in path: String) throws -> Int? {
        try texts(sql, in: path).first.flatMap { Int($0) }
    }

    /// Returns the first column of each row.
    static func texts(_ sql: String, in path: String) throws -> [String] {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
        var texts: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
            case SQLITE_DONE: return texts
            case let code: throw SQLiteFailure(code: code, sql: sql)
            }
        }
    }

    struct SQLiteFailure: Error {
        var code: Int32
        var sql: String
    }
}
