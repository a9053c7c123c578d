import PlacekeeperCore
import PlacekeeperPostgresServer
import PlacekeeperService
import Testing

@testable import PlacekeeperPostgres

/// 0.1.0 took canonically equivalent identifiers for one identifier.
@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct FormerIdentifierTests {
    /// The stored texts of an item whose identifier is `e`, or é in normalization forms C and D.
    private static let (plain, composed, decomposed) = ("000165", "0002c3a9", "000365cc81")

    @Test func dropsListsThatNameAnIdentifierOutsideFormC() async throws {
        try await cluster().withDatabase { url in
            let configuration = PostgresServer.configuration(url)
            try Self.fill(try Connection(configuration))
            let store = try await PostgresStore(configuration)
            #expect(try await numbers("SELECT number FROM registry ORDER BY 1", store) == [1, 2])
            let others = ["item", "alias", "ambiguous_alias"].map { "SELECT registry FROM \($0) GROUP BY 1 ORDER BY 1" }
            for other in others { #expect(try await numbers(other, store) == [1, 2]) }
            #expect(try await numbers("SELECT first_key FROM link", store) == [3])
            #expect(try cluster().findings(in: url).isEmpty)
            await store.close()
        }
    }

    private func numbers(_ sql: String, _ store: PostgresStore) async throws -> [Int64] {
        try await store.rows(sql).map { row throws(StoreError) in try row.key() }
    }

    /// Creates the tables of 0.1.0 with three registrations of a user, each with two items.
    private static func fill(_ connection: Connection) throws {
        let (app, owner) = ("'00000000-0000-0000-0000-000000000001'", "'00000000-0000-0000-0000-000000000002'")
        let lists = [[plain, plain], [plain, composed], [composed, decomposed]]
        let bytes = lists.joined().reduce(0) { $0 + $1.utf8.count / 2 }
        var statements =
            Schema.steps[0] + [
                "INSERT INTO store (id, schema_version, lookup_secret) VALUES (1, 3, decode(repeat('00', 32), 'hex'))",
                "INSERT INTO users VALUES (\(app), \(owner), 1, 1, 1, 1, 0, NULL, 0, NULL, NULL, \(bytes), 0, 0, 0)",
                "INSERT INTO app_usage VALUES (\(app), 0, 4, 0, 0, 0), (\(app), 3, \(bytes - 4), 0, 0, 1)",
            ]
        for (index, texts) in lists.enumerated() {
            let (number, size) = (index + 1, texts.reduce(0) { $0 + $1.utf8.count / 2 })
            statements.append(
                """
                INSERT INTO registry
                VALUES (\(app), \(owner), \(number), 'photos', md5('\(number)')::uuid, 1, '', 2, 0, 1, \(size), 2)
                """)
            statements.append("INSERT INTO ambiguous_alias VALUES (\(app), \(owner), \(number), 7)")
            for (key, texts) in texts.enumerated() {
                statements += [
                    """
                    INSERT INTO item
                    VALUES (\(app), \(owner), \(number), \(key), \(key + 1), NULL, 1, 1, false, '', NULL, NULL,
                        '\\x\(texts)')
                    """,
                    "INSERT INTO alias VALUES (\(app), \(owner), \(number), 7, true, \(key + 1), \(key))",
                ]
            }
        }
        for (key, ends) in [(1, [composed, decomposed]), (2, [decomposed, plain]), (3, [composed, plain])] {
            statements.append(
                """
                INSERT INTO link
                VALUES (\(app), \(owner), 'photos', md5('1')::uuid, \(key), md5('2')::uuid, 1, 'same', '', 1,
                    '\\x\(ends[0])', '\\x\(ends[1])')
                """)
        }
        _ = try connection.run(Batch(statements.map { Statement($0) }), until: .now + .seconds(600))
    }
}
