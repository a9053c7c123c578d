import CSQLite
import Testing

/// The file of a SQLite database, for changes that no store makes.
enum Database {
    static func run(_ sql: String, in path: String) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }
}
