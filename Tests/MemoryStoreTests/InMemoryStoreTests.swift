import MemoryStore
import RestorationService
import StoreConformance
import Testing

struct InMemoryStoreTests {
    @Test(arguments: StoreBehaviour.all) func passesStoreConformance(_ behaviour: StoreBehaviour) async throws {
        try await behaviour.check(InMemoryStore())
    }
}
