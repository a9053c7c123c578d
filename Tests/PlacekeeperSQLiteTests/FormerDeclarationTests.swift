import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

/// In 0.1.0, a data source promised that all its aliases are unique, or none.
struct FormerDeclarationTests {
    /// What 0.1.0 wrote.
    private static let sources = """
        {"books":{"scope":"registered","selectsNeighbours":true,"uniqueAliases":true,"allowsRedirects":false},
        "photos":{"scope":"registered","selectsNeighbours":false,"uniqueAliases":false,"allowsRedirects":false}}
        """

    @Test func promisesNoKindsForAFormerDeclaration() async throws {
        let directory = try DataDirectory()
        try DatabaseFixture(schemaVersion: Migrations.oldest).write(in: directory)
        try Connection(path: directory.database).execute("UPDATE app SET data_sources = '\(Self.sources)'")
        let store = try DatabaseFixture.store(in: directory.path)
        let app = try #require(try await store.apps().first)
        let books = DataSource(scope: .registered, selectsNeighbors: true)
        #expect(app.dataSources == ["books": books, "photos": DataSource(scope: .registered)])
        // The declaration of kinds replaces it.
        let isbn = DataSource(scope: .registered, selectsNeighbors: true, uniqueAliases: ["isbn"])
        #expect(try await store.declare(isbn, named: "books", of: app.id, overriding: false).value == .differs(books))
        #expect(try await store.declare(isbn, named: "books", of: app.id, overriding: true).value == .declared)
        #expect(try await store.app(.id(app.id))?.dataSources["books"] == isbn)
        #expect(try await store.findings().isEmpty)
        await store.close()
    }
}
