import RestorationService
import Testing

@testable import SQLiteStore

struct PruneTests {
    @Test func aPruneThatIsCancelledStopsBetweenItsStepsAndTheNextGoesOn() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(1), retention: 20)
        try await store.forget(scene(), at: at(2))
        // More than one step holds.
        try await store.writer.write { transaction throws(StoreError) in
            try transaction.connection.execute(
                """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2500)
                INSERT INTO tombstone SELECT scene, CAST(printf('%016d', n) AS BLOB), deleted_at FROM tombstone, number;
                """)
        }
        let gate = Gate()
        await gate.close(store)
        let prune = Task { try await store.prune(at: at(31 * 86_400_000)) }
        while store.writer.waitingIntents == 0 { await Task.yield() }
        prune.cancel()
        gate.open()
        try await prune.value
        #expect(try count("tombstone", in: store) == 2501)
        #expect(try count("change", in: store) == 2)

        try await store.prune(at: at(31 * 86_400_000))
        #expect(try count("tombstone", in: store) == 0)
        // The newest stays.
        #expect(try count("change", in: store) == 1)
    }

    private func count(_ table: String, in store: SQLiteStore) throws -> Int {
        try store.readers.read { connection throws(StoreError) in
            Int(try connection.value("SELECT count(*) FROM \(table)") ?? "") ?? -1
        }
    }
}
