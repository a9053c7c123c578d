import PlacekeeperCore
import PlacekeeperService
import PlacekeeperStoreConformance
import Synchronization
import Testing

@testable import PlacekeeperSQLite

struct QueryTests {
    /// Statements search growing tables by a key, and never scan these tables.
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
}
