import Foundation
import Testing

@testable import PlacekeeperClient

struct ClientHistoryTests {
    /// The number of histories, which `PLACEKEEPER_HISTORIES` sets.
    static let count = ProcessInfo.processInfo.environment["PLACEKEEPER_HISTORIES"].flatMap { Int($0) } ?? 100

    @Test func losesNothingAndMixesNoUsersInRandomHistories() async throws {
        let first = ProcessInfo.processInfo.environment["PLACEKEEPER_SEED"].flatMap { UInt64($0) } ?? 1
        var failures = 0
        for seed in first..<first + UInt64(Self.count) {
            var history = try await ClientHistory(seed: seed)
            await history.run(actions: 60)
            #expect(history.faults.isEmpty, "seed \(seed)")
            if ProcessInfo.processInfo.environment["PLACEKEEPER_SEED"] != nil {
                print(history.log.joined(separator: "\n"))
            }
            failures += history.faults.isEmpty ? 0 : 1
            if failures > 5 { break }
        }
    }
}
