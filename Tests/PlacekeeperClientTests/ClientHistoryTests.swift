import Foundation
import Testing

@testable import PlacekeeperClient

struct ClientHistoryTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The number of histories, which `PLACEKEEPER_HISTORIES` sets.
    static let count = environment["PLACEKEEPER_HISTORIES"].flatMap { Int($0) } ?? 100
    /// The seed of a single history, which `PLACEKEEPER_SEED` sets.
    static let seed = environment["PLACEKEEPER_SEED"].flatMap { UInt64($0) }

    @Test func losesNothingAndMixesNoUsersInRandomHistories() async throws {
        try await run(Self.count) { try await ClientHistory(seed: $0) }
    }

    @Test func losesNothingAndMixesNoUsersOverSocketsWhileTheServiceRestarts() async throws {
        try await run(max(10, Self.count / 10)) { seed in
            try await ClientHistory(seed: seed, over: RestartableService())
        }
    }

    /// Runs histories with the seeds from 1 on, or the history of one seed.
    private func run(_ count: Int, _ make: (UInt64) async throws -> ClientHistory) async throws {
        var failures = 0
        for seed in Self.seed.map({ $0...$0 }) ?? 1...UInt64(count) {
            var history = try await make(seed)
            await history.run(actions: 60)
            await history.close()
            #expect(history.faults.isEmpty, "seed \(seed)")
            if Self.seed != nil { print(history.log.joined(separator: "\n")) }
            failures += history.faults.isEmpty ? 0 : 1
            if failures > 5 { break }
        }
    }
}
