import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperStoreConformance
import Testing

@testable import PlacekeeperPostgres

/// The rules give the answers of the former rules.
struct RuleGuardTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func matchesTheFormerRulesForRandomIntents(_ seed: UInt64) async throws {
        let (store, model) = (InMemoryStore(), OldMemoryStore())
        var intents = RandomIntents(seed: seed)
        for step in 0..<400 {
            let intent = intents.next()
            let (answer, expected) = try await (intent.carryOut(in: store), intent.carryOut(in: model))
            try #require(answer == expected, "step \(step): \(intent)")
            guard step % 10 == 9 else { continue }
            let (state, other) = try await (Agreement.everything(in: store), Agreement.everything(in: model))
            for (part, expectedPart) in zip(state, other) { try #require(part == expectedPart, "step \(step)") }
        }
    }
}
