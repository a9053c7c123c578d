import Foundation
import PlacekeeperMatching
import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperStoreConformance
import PlacekeeperTestSupport
import Testing

@Suite struct IdentityHistoryTests {
    /// The number of histories, from `PLACEKEEPER_HISTORIES`.
    static let count = ProcessInfo.processInfo.environment["PLACEKEEPER_HISTORIES"].flatMap { UInt64($0) } ?? 200

    @Test(.timeLimit(.minutes(60))) func resolvesLikeTheOracleInAnyOrder() async throws {
        var differences: [String] = []
        // The store searches all of its users, so a new store for each 100 histories is faster.
        for start in stride(from: 0, to: Self.count, by: 100) {
            let histories = IdentityHistories(on: InMemoryStore(), hashing: SpreadingHash())
            differences += try await histories.differences(seeds: start..<min(start + 100, Self.count))
        }
        #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
    }

    @Test func joinsLongChainsLikeTheOracle() async throws {
        let histories = IdentityHistories(on: InMemoryStore(), hashing: SpreadingHash())
        let differences = try await histories.differencesOfChains()
        #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
    }

    @Test func joinsRareHistoriesLikeTheOracle() async throws {
        let histories = IdentityHistories(on: InMemoryStore(), hashing: SpreadingHash())
        let differences = try await histories.differencesOfRareHistories()
        #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
    }

    @Test(.timeLimit(.minutes(60))) func tellsItemsApartByAlignmentLikeTheOracle() async throws {
        var differences: [String] = []
        var steps: [ItemResolution.Step: Int] = [:]
        for start in stride(from: 0, to: Self.count, by: 100) {
            let histories = AlignmentHistories(on: InMemoryStore(), hashing: SpreadingHash())
            let found = try await histories.differences(seeds: start..<min(start + 100, Self.count))
            differences += found.differences
            steps.merge(found.steps, uniquingKeysWith: +)
        }
        #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
        if Self.count >= 100 {
            #expect(steps[.alignment, default: 0] > 10)
            #expect(steps[.pending, default: 0] > 10)
            #expect(steps[.alias, default: 0] > 10)
        }
    }
}
