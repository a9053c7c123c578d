import PlacekeeperCore
import PlacekeeperService
import PlacekeeperStoreConformance
import Testing

@testable import PlacekeeperSQLite

/// 0.1.0 took canonically equivalent identifiers for one identifier.
struct FormerIdentifierTests {
    /// The stored texts of an item whose identifier is é, in normalization forms C and D.
    private static let (composed, decomposed) = ("0002C3A9", "000365CC81")

    @Test func dropsListsThatNameAnIdentifierOutsideFormC() async throws {
        let directory = try DataDirectory()
        try DatabaseFixture(schemaVersion: Migrations.oldest).write(in: directory)
        let registries = try prepare(directory)
        try #require(registries.count > 1)
        let store = try DatabaseFixture.store(in: directory.path)
        let (kept, links) = try await store.writer.write { transaction throws(StoreError) in
            (
                try transaction.connection.values("SELECT id FROM registry WHERE user IS NOT NULL ORDER BY id"),
                try transaction.connection.value("SELECT count(*) FROM link")
            )
        }
        #expect(kept == Array(registries.dropFirst()))
        #expect(links == "1")
        #expect(try await store.findings().isEmpty)
        await store.close()
    }

    /// Changes a text of two lists, and makes three decisions. Two of the decisions and the first list name an
    /// identifier outside form C. Returns the lists.
    private func prepare(_ directory: DataDirectory) throws -> [String] {
        let connection = try Connection(path: directory.database)
        let registries = try connection.values(
            """
            SELECT id FROM registry WHERE user IS NOT NULL AND id IN (SELECT registry FROM item) ORDER BY id
            """
        )
        for (registry, texts) in zip(registries, [Self.decomposed, Self.composed]) {
            try connection.execute(
                """
                UPDATE item_text SET texts = x'\(texts)'
                WHERE number = (SELECT max(number) FROM item WHERE registry = \(registry));
                """)
        }
        let sizes = """
            SELECT sum(length(texts)) FROM registry JOIN item ON item.registry = registry.id
            JOIN item_text ON item_text.number = item.number
            """
        try connection.execute(
            """
            UPDATE user SET bytes = bytes + coalesce((\(sizes) WHERE registry.user = user.id), 0)
                - coalesce((SELECT sum(bytes) FROM registry WHERE registry.user = user.id), 0);
            UPDATE registry AS known SET bytes = coalesce((\(sizes) WHERE registry.id = known.id), 0);
            UPDATE app_usage SET bytes = (SELECT sum(bytes) FROM user WHERE user.app = app_usage.app);
            DELETE FROM link;
            """)
        for (number, (first, second)) in [
            (Self.composed, Self.decomposed), (Self.decomposed, Self.composed), (Self.composed, Self.composed),
        ].enumerated() {
            try connection.execute(
                """
                INSERT INTO link SELECT min(id), 'photos', zeroblob(16), \(number), randomblob(16), 1, 'same', '', 1,
                    x'\(first)', x'\(second)' FROM user;
                """)
        }
        return registries
    }
}
