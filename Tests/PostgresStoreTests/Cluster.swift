import Foundation
import RestorationService
import Testing

@testable import PostgresStore

/// A PostgreSQL server for the tests of this process. The server ends with the process.
final class Cluster: Sendable {
    /// The server. Nil if PostgreSQL is not installed.
    static let shared = try? Cluster()

    /// Whether the tests of this target run. In CI, PostgreSQL must be installed, so these tests run and fail without it.
    static var isNeeded: Bool {
        shared != nil || !(ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty
    }

    private let folder: String
    private let numbers = Numbers()
    private let administration: ConnectionPool

    private init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let process = Process()
        process.executableURL = root.appendingPathComponent("scripts/postgres-for-tests")
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard !line.isEmpty else {
            throw StoreError(.unavailable, "The PostgreSQL server for tests did not start.")
        }
        folder = String(decoding: line, as: UTF8.self)
        // The server ends when this end of the pipe is closed, so the pipe stays open as long as the process runs.
        Self.open.append(input)
        var configuration = PostgresStore.Configuration(url: "postgres:///postgres?host=\(folder)&user=test")
        configuration.connections = 2
        configuration.deadline = .seconds(600)
        administration = ConnectionPool(configuration)
    }

    nonisolated(unsafe) private static var open: [Pipe] = []

    /// The URL of a database.
    func url(_ database: String) -> String { "postgres:///\(database)?host=\(folder)&user=test" }

    /// Runs a test on a new, empty database.
    func withDatabase<Value>(_ test: (_ url: String) async throws -> Value) async throws -> Value {
        let name = "test\(await numbers.next())"
        _ = try await administration.run(Batch([Statement("CREATE DATABASE \(name)")]))
        let result: Result<Value, any Error>
        do { result = .success(try await test(url(name))) } catch { result = .failure(error) }
        _ = try await administration.run(Batch([Statement("DROP DATABASE \(name) WITH (FORCE)")]))
        return try result.get()
    }

    /// Runs a test on a store in a new, empty database.
    func withStore<Value>(_ test: (PostgresStore) async throws -> Value) async throws -> Value {
        try await withDatabase { url in
            let store = try await PostgresStore(Self.configuration(url))
            let result = try await test(store)
            await store.close()
            return result
        }
    }

    /// A configuration with long deadlines, because all tests run at once on few cores.
    static func configuration(_ url: String) -> PostgresStore.Configuration {
        var configuration = PostgresStore.Configuration(url: url)
        configuration.deadline = .seconds(600)
        configuration.connections = 3
        return configuration
    }

    private actor Numbers {
        private var last = 0
        func next() -> Int {
            last += 1
            return last
        }
    }
}

/// Returns the server, or fails the test.
func cluster() throws -> Cluster {
    try #require(Cluster.shared, "PostgreSQL is not installed. In CI, these tests must run.")
}
