import Foundation
import RestorationService
import StoreConformance
import Testing

@Suite struct IdentityHistoryTests {
    /// PLACEKEEPER_HISTORIES: how many are played.
    static let count = ProcessInfo.processInfo.environment["PLACEKEEPER_HISTORIES"].flatMap { UInt64($0) } ?? 500

    @Test(.timeLimit(.minutes(10))) func resolvesAsTheOracleDoesInWhateverOrderItCame() async throws {
        let histories = IdentityHistories(on: InMemoryStore(), hashing: SpreadingHash())
        let differences = try await histories.differences(seeds: 0..<Self.count)
        #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
    }
}
