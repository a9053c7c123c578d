import Foundation
import PlacekeeperStoreConformance
import Testing

@testable import PlacekeeperSQLite

@Suite struct AccountHistoryTests {
    /// The number of histories: a fifth of `PLACEKEEPER_HISTORIES`, because each history is checked after each step. The
    /// histories are the same for every store.
    static let count = (ProcessInfo.processInfo.environment["PLACEKEEPER_HISTORIES"].flatMap { UInt64($0) } ?? 500) / 5

    @Test(.timeLimit(.minutes(60))) func keepsTheArchivesOfEachSubjectApart() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let complaints = try await AccountHistories(on: store).complaints(seeds: 0..<Self.count)
        #expect(complaints.isEmpty, "\(complaints.count) histories:\n\(complaints.prefix(3).joined(separator: "\n"))")
        #expect(try await store.findings().isEmpty)
        await store.close()
    }
}
