import Foundation
import Testing

/// Random histories of windows and accounts.
@MainActor
struct WindowHistoryTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The number of histories, which `PLACEKEEPER_HISTORIES` sets.
    private static let count = environment["PLACEKEEPER_HISTORIES"].flatMap { UInt64($0) } ?? 100
    /// The seed of a single history, which `PLACEKEEPER_SEED` sets.
    private static let seed = environment["PLACEKEEPER_SEED"].flatMap { UInt64($0) }

    @Test func noStateAppearsUnderAnotherAccount() async throws {
        var failures = 0
        for seed in Self.seed.map({ $0...$0 }) ?? 1...Self.count {
            let history = try await WindowHistory(seed: seed)
            try await history.run(actions: 40)
            #expect(history.faults == [], "seed \(seed)")
            if Self.seed != nil || !history.faults.isEmpty { print(history.log.joined(separator: "\n")) }
            failures += history.faults.isEmpty ? 0 : 1
            if failures > 5 { break }
        }
    }
}
