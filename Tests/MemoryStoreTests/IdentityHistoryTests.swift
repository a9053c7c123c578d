import TestSupport
import MemoryStore
import Foundation
import RestorationService
import StoreConformance
import Testing

@Suite struct IdentityHistoryTests {
    /// PLACEKEEPER_HISTORIES: how many are played.
    static let count = ProcessInfo.processInfo.environment["PLACEKEEPER_HISTORIES"].flatMap { UInt64($0) } ?? 200

    @Test(.timeLimit(.minutes(20))) func resolvesAsTheOracleDoesInWhateverOrderItCame() async throws {
        var differences: [String] = []
        // It looks through all of its users: a new one now and then is quicker.
        for start in stride(from: 0, to: Self.count, by: 100) {
            let histories = IdentityHistories(on: InMemoryStore(), hashing: SpreadingHash())
            differences += try await histories.differences(seeds: start..<min(start + 100, Self.count))
        }
        #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
    }

    @Test func takesForOneWhatTheOracleDoesOfLongChains() async throws {
        let histories = IdentityHistories(on: InMemoryStore(), hashing: SpreadingHash())
        let differences = try await histories.differencesOfChains()
        #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
    }

    @Test func takesForOneWhatTheOracleDoesOfWhatIsRare() async throws {
        let histories = IdentityHistories(on: InMemoryStore(), hashing: SpreadingHash())
        let differences = try await histories.differencesOfRareHistories()
        #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
    }
}
