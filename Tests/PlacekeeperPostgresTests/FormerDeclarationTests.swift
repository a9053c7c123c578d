import PlacekeeperCore
import PlacekeeperPostgresServer
import PlacekeeperService
import Testing

@testable import PlacekeeperPostgres

/// In 0.1.0, a data source promised that all its aliases are unique, or none.
@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct FormerDeclarationTests {
    /// What 0.1.0 wrote.
    private static let sources = """
        {"books":{"allowsRedirects":false,"scope":"registered","selectsNeighbours":true,"uniqueAliases":true},
        "photos":{"allowsRedirects":false,"scope":"registered","selectsNeighbours":false,"uniqueAliases":false}}
        """

    @Test func promisesNoKindsForAFormerDeclaration() async throws {
        try await cluster().withDatabase { url in
            let configuration = PostgresServer.configuration(url)
            try Self.fill(try Connection(configuration))
            let store = try await PostgresStore(configuration)
            let app = try #require(try await store.apps().first)
            let books = DataSource(scope: .registered, selectsNeighbors: true)
            #expect(app.dataSources == ["books": books, "photos": DataSource(scope: .registered)])
            // The declaration of kinds replaces it.
            let isbn = DataSource(scope: .registered, selectsNeighbors: true, uniqueAliases: ["isbn"])
            let refused = try await store.declare(isbn, named: "books", of: app.id, overriding: false).value
            #expect(refused == .differs(books))
            #expect(try await store.declare(isbn, named: "books", of: app.id, overriding: true).value == .declared)
            #expect(try await store.app(.id(app.id))?.dataSources["books"] == isbn)
            await store.close()
        }
    }

    /// Creates the tables of 0.1.0 with an app.
    private static func fill(_ connection: Connection) throws {
        let statements =
            Schema.steps[0] + [
                "INSERT INTO store (id, schema_version, lookup_secret) VALUES (1, 3, decode(repeat('00', 32), 'hex'))",
                """
                INSERT INTO app (uuid, bundle_identifier, publishable_key, created_at, settings, data_sources)
                VALUES ('00000000-0000-0000-0000-000000000001', 'com.example.books', 'pk', 1,
                    convert_to('{}', 'UTF8'), convert_to('\(sources)', 'UTF8'))
                """,
            ]
        _ = try connection.run(Batch(statements.map { Statement($0) }), until: .now + .seconds(600))
    }
}
