import Foundation
import PlacekeeperCore
import Synchronization

@testable package import PlacekeeperPostgres

/// A PostgreSQL server for the tests of this process, started by `scripts/postgres-for-tests`. The server ends with the
/// process.
package final class PostgresServer: Sendable {
    /// The server. Nil if PostgreSQL is not installed.
    package static let shared = try? PostgresServer()

    /// Whether the tests that need a server run. In CI, PostgreSQL must be installed, so these tests run, and fail
    /// without it.
    package static var isNeeded: Bool {
        shared != nil || !(ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty
    }

    /// The reason for which tests are skipped.
    package static let skipped = "PostgreSQL is not installed"

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let folder: String
    private let lastNumber = Atomic(0)
    /// The server ends when this pipe is closed.
    private let input: Pipe

    private init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let process = Process()
        process.executableURL = root.appendingPathComponent("scripts/postgres-for-tests")
        let output = Pipe()
        input = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        folder = try Self.line(of: output)
    }

    private static func line(of pipe: Pipe) throws -> String {
        var line: [UInt8] = []
        while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard !line.isEmpty else { throw Failure(description: "The PostgreSQL server for tests did not start.") }
        return String(decoding: line, as: UTF8.self)
    }

    /// The URL of a database.
    package func url(_ database: String) -> String { "postgres:///\(database)?host=\(folder)&user=test" }

    /// Makes an empty database, and returns its URL. Blocks the thread.
    package func makeDatabase() throws -> String {
        let name = "test\(lastNumber.add(1, ordering: .relaxed).newValue)"
        try run("CREATE DATABASE \(name)")
        return url(name)
    }

    /// Makes a database with the tables of 0.1.0, and returns its URL. Blocks the thread.
    package func makeFormerDatabase() throws -> String {
        let url = try makeDatabase()
        let insert = """
            INSERT INTO store (id, schema_version, lookup_secret)
            VALUES (1, \(Schema.oldest), decode(repeat('00', 32), 'hex'))
            """
        let statements = (Schema.steps[0] + [insert]).map { Statement($0) }
        _ = try Connection(PostgresStore.Configuration(url: url)).run(Batch(statements), until: .now + .seconds(600))
        return url
    }

    /// Gives an empty database a schema version that only later programs support. Blocks the thread.
    package func makeUnusable(_ url: String) throws {
        let statements = [
            "CREATE TABLE store (schema_version bigint, usable_from bigint, lookup_secret bytea)",
            "INSERT INTO store VALUES (1000, 1000, decode(repeat('00', 32), 'hex'))",
        ]
        for statement in statements { try run(statement, in: url) }
    }

    /// The URL of a database whose server has its socket in another folder.
    package func url(_ url: String, socketIn other: String) -> String {
        url.replacingOccurrences(of: folder, with: other)
    }

    /// Makes the server's socket available in another folder.
    package func publishSocket(in other: String) throws {
        try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: folder)
    }

    /// A lock on a table, held by a session of its own until the end of this object.
    package final class Lock {
        private let connection: Connection

        package init(_ table: String, in url: String) throws {
            connection = try Connection(PostgresStore.Configuration(url: url))
            let lock = Statement("LOCK TABLE \(table) IN ACCESS SHARE MODE")
            _ = try connection.run(Batch([Statement("BEGIN"), lock]), until: .now + .seconds(600))
        }
    }

    /// The number of sessions that wait for a lock in a database. Blocks the thread.
    package func waitingSessions(in url: String) throws -> Int {
        let rows = try run(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND datname = '\(Self.name(of: url))'
            """)
        return Int(try rows[0].first { row throws(StoreError) in try row.key() } ?? 0)
    }

    /// Deletes a database, and ends its connections. Blocks the thread.
    package func dropDatabase(_ url: String) {
        // A database that is left does no harm: it ends with the server.
        _ = try? run("DROP DATABASE IF EXISTS \(Self.name(of: url)) WITH (FORCE)")
    }

    /// Changes a setting for the further sessions of a database. Blocks the thread.
    package func change(_ setting: String, to value: String, in url: String) throws {
        try run("ALTER DATABASE \(Self.name(of: url)) SET \(setting) = \(value)")
    }

    /// Ends the connections to a database, as an administrator of the server does. Blocks the thread.
    package func endConnections(to url: String) throws {
        try run("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '\(Self.name(of: url))'")
    }

    private static func name(of url: String) -> String {
        String(url.dropFirst("postgres:///".count).prefix { $0 != "?" })
    }

    /// A configuration with long deadlines, because all tests run at once on few cores.
    package static func configuration(_ url: String) -> PostgresStore.Configuration {
        var configuration = PostgresStore.Configuration(url: url)
        configuration.deadline = .seconds(600)
        configuration.readDeadline = .seconds(600)
        configuration.servingDeadline = .seconds(600)
        configuration.connections = 3
        return configuration
    }

    @discardableResult
    func run(_ sql: String, in url: String? = nil) throws -> [Rows] {
        let connection = try Connection(PostgresStore.Configuration(url: url ?? self.url("postgres")))
        return try connection.run(Batch([Statement(sql)]), until: .now + .seconds(600))
    }
}
