import PlacekeeperPostgresServer
import Testing

@testable import PlacekeeperPostgres

/// Returns the server, or fails the test.
func cluster() throws -> PostgresServer {
    try #require(PostgresServer.shared, "PostgreSQL is not installed. In CI, these tests must run.")
}

extension PostgresServer {
    /// Runs a test on a new, empty database. Few tests run at a time: the server has a limited number of connections, and
    /// many test runners start all tests at once.
    func withDatabase<Value>(_ test: (_ url: String) async throws -> Value) async throws -> Value {
        await TestPlaces.shared.take()
        let result: Result<Value, any Error>
        do {
            let url = try makeDatabase()
            defer { dropDatabase(url) }
            result = .success(try await test(url))
        } catch {
            result = .failure(error)
        }
        await TestPlaces.shared.give()
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
}

/// A configuration with a short deadline, in which a store can still be opened on a busy machine.
func hurried(_ configuration: PostgresStore.Configuration) -> PostgresStore.Configuration {
    var configuration = configuration
    configuration.deadline = .seconds(4)
    configuration.readDeadline = .seconds(4)
    return configuration
}
