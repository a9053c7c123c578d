import PlacekeeperService
import PlacekeeperStoreConformance
import Testing

@testable import PlacekeeperSQLite

struct SQLiteStoreTests {
    @Test(arguments: StoreBehaviour.all)
    func conformsToStoreBehaviour(_ behaviour: StoreBehaviour) async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        try await behaviour.check(store)
        #expect(try await store.findings().isEmpty)
        await store.close()
    }
}
