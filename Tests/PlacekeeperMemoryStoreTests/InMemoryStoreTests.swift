import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperStoreConformance
import Testing

struct InMemoryStoreTests {
    @Test(arguments: StoreBehavior.all) func passesStoreConformance(_ behavior: StoreBehavior) async throws {
        try await behavior.check(InMemoryStore())
    }
}
