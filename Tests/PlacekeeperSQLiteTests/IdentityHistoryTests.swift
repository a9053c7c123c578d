import PlacekeeperTestSupport
import Foundation
import PlacekeeperService
import PlacekeeperStoreConformance
import Testing

@testable import PlacekeeperSQLite

@Suite struct IdentityHistoryTests {
    /// The number of random histories, from PLACEKEEPER_HISTORIES. The histories are the same for every store.
    static let count = ProcessInfo.processInfo.environment["PLACEKEEPER_HISTORIES"].flatMap { UInt64($0) } ?? 200

    @Test(.timeLimit(.minutes(60))) func matchesOracleInAnyOrderOfArrival() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let histories = IdentityHistories(on: store, hashing: SpreadingHash())
        let differences = try await histories.differences(seeds: 0..<Self.count)
        #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
        #expect(try await store.findings().isEmpty)
        await store.close()
    }

    @Test func matchesOracleForLongChains() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let histories = IdentityHistories(on: store, hashing: SpreadingHash())
        let differences = try await histories.differencesOfChains()
        #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
        await store.close()
    }

    @Test func matchesOracleForRareHistories() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let histories = IdentityHistories(on: store, hashing: SpreadingHash())
        let differences = try await histories.differencesOfRareHistories()
        #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
        await store.close()
    }

    @Test(.timeLimit(.minutes(60))) func tellsItemsApartByAlignmentLikeTheOracle() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let histories = AlignmentHistories(on: store, hashing: SpreadingHash())
        let found = try await histories.differences(seeds: 0..<Self.count)
        #expect(found.differences.isEmpty, "\(found.differences.prefix(5).joined(separator: "\n"))")
        await store.close()
    }
}
