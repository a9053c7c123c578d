import Foundation
import PlacekeeperMemoryStore
import PlacekeeperStoreConformance
import Testing

@Suite struct AccountHistoryTests {
    /// The number of histories: a fifth of `PLACEKEEPER_HISTORIES`, because each history is checked after each step. The
    /// histories are the same for every store.
    static let count = (ProcessInfo.processInfo.environment["PLACEKEEPER_HISTORIES"].flatMap { UInt64($0) } ?? 500) / 5

    @Test(.timeLimit(.minutes(60))) func keepsTheArchivesOfEachSubjectApart() async throws {
        var complaints: [String] = []
        // The store searches all of its users, so a new store for each 20 histories is faster.
        for start in stride(from: 0, to: Self.count, by: 20) {
            let histories = AccountHistories(on: InMemoryStore())
            complaints += try await histories.complaints(seeds: start..<min(start + 20, Self.count))
        }
        #expect(complaints.isEmpty, "\(complaints.count) histories:\n\(complaints.prefix(3).joined(separator: "\n"))")
    }
}
