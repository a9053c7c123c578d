import PlacekeeperCore
import PlacekeeperService
import PlacekeeperStoreConformance
import Synchronization
import Testing

@testable import PlacekeeperSQLite

struct QueryTests {
    /// Statements search growing tables by a key, and never scan these tables. SQLite does not sort rows that an index
    /// returns in order.
    @Test func scansNoGrowingTable() async throws {
        // `Query.known` contains a query only after the query's first use, so the test runs all behaviors first.
        for behavior in StoreBehavior.all {
            let directory = try DataDirectory()
            try await behavior.check(directory.open())
        }
        let directory = try DataDirectory()
        let store = try directory.open()
        let growing = [
            "user", "scene", "device", "archive", "content", "screenshot", "served", "served_last", "outcome",
            "change", "restore_log",
        ]
        let known = Query.known.withLock { $0 }
        // A migration and the check of a copy read every archive. A transfer reads everything.
        let whole = Set(
            [Query.archivesWithBytes.sql] + (Query.derivations + Query.ofSegments).map(\.sql)
                + TransferQueries.all.values.flatMap(\.sql))
        for sql in known where !sql.hasPrefix("PRAGMA") && !whole.contains(sql) {
            let steps = try store.readers.read { connection throws(StoreError) in
                try connection.values("EXPLAIN QUERY PLAN " + sql, column: 3)
            }
            for table in growing { #expect(!steps.contains("SCAN \(table)"), "\(sql)") }
        }
    }

    /// The two reads of each restore find the row by an index.
    @Test func readsHeadByIndexWithoutSorting() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.history(of: scene(), below: nil, limit: 1)
        let hot = Query.known.withLock { $0 }.filter { $0.contains("archive.revision) <") }
        #expect(!hot.isEmpty)
        for sql in hot {
            let steps = try store.readers.read { connection throws(StoreError) in
                try connection.values("EXPLAIN QUERY PLAN " + sql, column: 3)
            }
            #expect(steps.contains { $0.hasPrefix("SEARCH archive USING PRIMARY KEY (scene=?") }, "\(steps)")
            #expect(!steps.contains { $0.contains("TEMP B-TREE") })
        }
    }
}
