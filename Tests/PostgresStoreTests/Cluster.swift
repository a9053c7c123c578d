import PostgresServer
import Testing

@testable import PostgresStore

/// Makes databases for the tests of this process.
final class Cluster: Sendable {
    static let shared = PostgresServer.shared.map(Cluster.init)

    private let server: PostgresServer
    private let numbers = Numbers()
    private let administration: ConnectionPool

    private init(_ server: PostgresServer) {
        self.server = server
        var configuration = PostgresStore.Configuration(url: server.url("postgres"))
        configuration.connections = 2
        configuration.deadline = .seconds(600)
        administration = ConnectionPool(configuration)
    }

    /// Runs a test on a new, empty database.
    func withDatabase<Value>(_ test: (_ url: String) async throws -> Value) async throws -> Value {
        let name = "test\(await numbers.next())"
        _ = try await administration.run(Batch([Statement("CREATE DATABASE \(name)")]))
        let result: Result<Value, any Error>
        do { result = .success(try await test(server.url(name))) } catch { result = .failure(error) }
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

    /// Ends the connections of a store, as an administrator of the server does.
    func endConnections(to store: PostgresStore) async throws {
        let url = store.configuration.url
        let name = String(url.dropFirst("postgres:///".count).prefix { $0 != "?" })
        let end = Statement(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = $1", .text(name))
        _ = try await administration.run(Batch([end]))
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
