import PostgresServer
import RestorationService
import StoreConformance
import Testing

@testable import PostgresStore

@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct PostgresStoreTests {
    @Test(arguments: StoreBehaviour.all)
    func conformsToStoreBehaviour(_ behaviour: StoreBehaviour) async throws {
        try await cluster().withStore { store in
            try await behaviour.check(store)
            #expect(try cluster().findings(in: store.configuration.url) == [])
        }
    }
}
