import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperStoreConformance
import Testing

struct InMemoryStoreTests {
    @Test(arguments: StoreBehaviour.all) func passesStoreConformance(_ behaviour: StoreBehaviour) async throws {
        try await behaviour.check(InMemoryStore())
    }
}
