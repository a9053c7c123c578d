import PlacekeeperCore
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
            #expect(try await store.outdatedStates().isEmpty, "step \(step): \(intent)")
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

extension SQLiteStore {
    /// Returns the parts of states in memory that differ from the database.
    fileprivate func outdatedStates() async throws -> [String] {
        let owners = try await facts(after: nil, limit: 1000).map(\.owner)
        return try await writer.write { transaction throws(StoreError) in
            var wrong: [String] = []
            for owner in owners {
                guard let known = transaction.users.user(owner) else { continue }
                let stored = try transaction.connection.state(of: owner)
                if known.facts != stored.facts { wrong.append("\(known.facts) instead of \(stored.facts)") }
                for (name, scene) in known.scenes {
                    let stored = try transaction.connection.state(of: scene.key, stored)
                    if scene.facts != stored.facts {
                        wrong.append("\(name): \(scene.facts) instead of \(stored.facts)")
                    }
                }
            }
            return wrong
        }
    }
}

extension UserState {
    fileprivate var facts: [String] {
        [
            "\(exists) \(row) \(version) \(revision) \(prunedThrough) \(createdAt) \(String(describing: newestChange))",
            "\(String(describing: subject)) \(usage)", devices.map { "\($0)" }.sorted().joined(),
        ]
    }
}

extension SceneState {
    fileprivate var facts: [String] {
        let entries = history.entries.map { entry in
            var entry = entry
            // A loaded entry may have servings.
            entry.hasServings = true
            return "\(entry)"
        }
        return [
            "\(exists) \(row) \(String(describing: forgotten))", history.servedLast.map { "\($0)" }.sorted().joined(),
        ]
            + entries + tombstones.times.map { "\($0)" }.sorted()
    }
}
