import PlacekeeperService
import PlacekeeperStoreConformance
import Testing

@testable import PlacekeeperSQLite

struct SQLiteStoreTests {
    @Test(arguments: StoreBehavior.all)
    func conformsToStoreBehavior(_ behavior: StoreBehavior) async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        try await behavior.check(store)
        #expect(try await store.findings().isEmpty)
        await store.close()
    }
}
