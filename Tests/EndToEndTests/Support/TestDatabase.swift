import PlacekeeperPostgresServer
import PlacekeeperPostgres
import PlacekeeperSQLite
import Synchronization
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The database of the tests' services and commands: SQLite in the data directory, or PostgreSQL with one database for
/// each data directory. The environment variable PLACEKEEPER_TEST_DATABASE chooses (`.ci/postgres`).
enum TestDatabase {
    static let isPostgreSQL =
        switch ProcessInfo.processInfo.environment["PLACEKEEPER_TEST_DATABASE"] {
        case nil, "sqlite": false
        case "postgresql": true
        case let name?: fatalError("PLACEKEEPER_TEST_DATABASE names no database: \(name)")
        }

    private static let urls = Mutex<[String: String]>([:])

    /// Returns the URL of the PostgreSQL database that belongs to a data directory. Makes the database if it does not
    /// exist. Nil with SQLite.
    static func url(of directory: String) throws -> String? {
        guard isPostgreSQL else { return nil }
        return try urls.withLock { urls in
            if let known = urls[directory] { return known }
            let url = try makeDatabase()
            urls[directory] = url
            return url
        }
    }

    /// Deletes the PostgreSQL database of a data directory that is no longer used.
    static func drop(_ directory: String) {
        if let url = urls.withLock({ $0.removeValue(forKey: directory) }) { PostgresServer.shared?.dropDatabase(url) }
    }

    /// Returns the faults in the database of a data directory.
    static func findings(in directory: String) throws -> [String] {
        guard let url = try url(of: directory) else {
            return try DatabaseFile(path: directory + "/placekeeper.sqlite").findings()
        }
        return try PostgresServer.shared?.findings(in: url) ?? []
    }

    /// The library of the database, as `/readyz` names it.
    static var library: String {
        isPostgreSQL
            ? "PostgreSQL client \(PostgresStore.libraryVersion ?? "")" : "SQLite \(SQLiteStore.libraryVersion)"
    }

    /// Makes a PostgreSQL database, and returns its URL. Fails the test if PostgreSQL is not installed.
    static func makeDatabase() throws -> String {
        try #require(PostgresServer.shared, "PostgreSQL is not installed. In CI, these tests must run.").makeDatabase()
    }

    /// The settings that the environment gives to a command with these arguments.
    static func environment(for arguments: [String]) throws -> [String: String] {
        guard !arguments.contains("--database"), let option = arguments.firstIndex(of: "--data"),
            option + 1 < arguments.count, let url = try url(of: arguments[option + 1])
        else { return [:] }
        return ["PLACEKEEPER_DATABASE": url]
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves a test out on PostgreSQL, because the test looks into the database's file, or uses a part that only SQLite
    /// has.
    static var onSQLite: Self { .enabled(if: !TestDatabase.isPostgreSQL, "the test needs SQLite") }
}
