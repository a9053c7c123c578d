import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperStoreConformance
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite

/// Checks that this store and the in-memory store return the same results for random intents.
struct AgreementTests {
    @Test(arguments: 1...12)
    func matchesInMemoryStoreForRandomIntents(_ seed: Int) async throws {
        let directory = try DataDirectory()
        var store = try directory.open()
        let model = InMemoryStore()
        var intents = RandomIntents(seed: UInt64(seed))
        for step in 0..<400 {
            let intent = intents.next()
            let (answer, expected) = try await (intent.carryOut(in: store), intent.carryOut(in: model))
            try #require(answer == expected, "step \(step): \(intent)")
            if step % 40 == 39 {
                let (state, expected) = try await (Agreement.everything(in: store), Agreement.everything(in: model))
                for (part, expectedPart) in zip(state, expected) { try #require(part == expectedPart, "step \(step)") }
                #expect(try await store.findings().isEmpty, "step \(step)")
            }
            if step == 200 {
                await store.close()
                store = try directory.open()
            }
        }
        #expect(try await store.findings().isEmpty)
    }
}
