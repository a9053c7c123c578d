import CLibrary
import Concurrency
import PostgresServer
import RestorationService
import StoreConformance
import Testing

@testable import PostgresStore

/// Queries whose cost must not depend on statistics of the database, or on other queries.
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

    /// The frozen process of the server stands for a lost packet or a busy disk.
    @Test func aSlowQueryDoesNotHoldUpOtherRequests() async throws {
        try await cluster().withDatabase { url in
            var configuration = PostgresServer.configuration(url)
            configuration.connections = 8
            let store = try await PostgresStore(configuration)
            _ = try await store.freshness(of: Agreement.owner(1))
            let processes = try Connection(configuration).run(
                Batch([
                    Statement(
                        """
                        SELECT pid::bigint FROM pg_stat_activity
                        WHERE datname = current_database() AND query LIKE '%WITH ORDINALITY%' AND pid <> pg_backend_pid()
                        """)
                ]), until: nil)
            let process = pid_t(try #require(try processes[0].first { row throws(StoreError) in try row.int() }))
            #expect(kill(process, SIGSTOP) == 0)
            let isAnswered = LockBox(false)
            let frozen = Task {
                defer { isAnswered.withLock { $0 = true } }
                return try await store.freshness(of: Agreement.owner(2))
            }
            // The requests that come soon after the frozen query wait for it. A later one does not.
            await withTaskGroup { group in
                let others = LockBox(0)
                while others.withLock({ $0 == 0 }) {
                    group.addTask {
                        if (try? await store.freshness(of: Agreement.owner(3))) != nil { others.withLock { $0 += 1 } }
                    }
                    await Task.yield()
                }
            }
            #expect(!isAnswered.withLock { $0 })
            #expect(kill(process, SIGCONT) == 0)
            _ = try await frozen.value
            await store.close()
        }
    }
}
