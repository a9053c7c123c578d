import PlacekeeperTesting
import Testing

struct CarryTests {
    @Test func startsAService() async throws { #expect(try await TestService().key.hasPrefix("pk_")) }
}
