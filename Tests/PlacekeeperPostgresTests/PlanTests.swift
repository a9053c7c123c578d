import PlacekeeperCore
import PlacekeeperPostgresServer
import PlacekeeperService
import Testing

@testable import PlacekeeperPostgres

/// Queries whose cost must not depend on statistics of the database.
@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"), .timeLimit(.minutes(20)))
struct PlanTests {
    /// A new database has no statistics, and a restored one has none either.
    @Test(arguments: [PostgresStore.itemsWithAliases, PostgresStore.textsOfSoleItems])
    func looksUpAliasesWithoutStatistics(_ sql: String) async throws {
        try await cluster().withDatabase { url in
            let store = try await PostgresStore(PostgresServer.configuration(url))
            await store.close()
            let connection = try Connection(PostgresServer.configuration(url))
            _ = try connection.run(Batch(Self.list.map { Statement($0) }), until: nil)
            let values: [Value] = [
                .id(AppID(high: 0, low: 1)), .id(UserID(high: 0, low: 2)), .text("list"),
                .id(DeviceID(high: 0, low: 3)),
                .ints((1...500).map { Int64($0) }),
            ]
            let found = try connection.run(Batch([Statement(sql, values)]), until: nil)
            #expect(found.first?.count == 500)
            let explain = Statement("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) " + sql, values)
            let plan = try connection.run(Batch([explain]), until: nil)[0].map { row throws(StoreError) in
                try row.text()
            }
            #expect(plan.contains { $0.contains("Index Scan using item_pkey") }, "\(plan)")
        }
    }

    /// A list of 3,000 items, each with one alias, among other lists.
    private static let list: [String] =
        ["item", "alias", "registry"].map { "ALTER TABLE \($0) SET (autovacuum_enabled = off)" }
        + [
            """
            INSERT INTO registry SELECT uuid(1), uuid(2), number, 'list', uuid(2 + number), 0, '', 3000, 0, 0, 0, 3000
            FROM generate_series(1, 3) AS number
            """,
            """
            INSERT INTO item SELECT uuid(1), uuid(2), number, key, key, NULL, 0, 0, false, '', NULL, NULL, 'text'
            FROM generate_series(1, 3) AS number, generate_series(1, 3000) AS key
            """,
            """
            INSERT INTO alias SELECT uuid(1), uuid(2), number, key, true, key, key
            FROM generate_series(1, 3) AS number, generate_series(1, 3000) AS key
            """,
        ].map { $0.replacing(/uuid\(([^)]+)\)/) { "lpad(to_hex((\($0.output.1))::bigint), 32, '0')::uuid" } }
}
