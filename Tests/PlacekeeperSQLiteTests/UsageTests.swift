import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite

/// Checks the counts of usage where a group commit fails or another process writes.
struct UsageTests {
    @Test func countsNothingOfAWriteThatWasRolledBack() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.register(sampleDevice(), token: Digest(0, 0, 0, 1), linkCode: nil)
        await #expect(throws: StoreError.self) {
            try await store.writer.write { transaction throws(StoreError) in
                try transaction.count(Usage(bytes: 1000, devices: 1), in: owner().app)
                throw StoreError(.unavailable, "This write fails.")
            }
        }
        _ = try await store.put(sample(1, bytes: [1, 2, 3]), retention: 20)
        #expect(try await store.usage(of: owner().app) == Usage(bytes: 3, archives: 1, devices: 1, users: 1))
        #expect(try await store.findings().isEmpty)
    }

    @Test func countsTheWritesOfAnotherProcess() async throws {
        let directory = try DataDirectory()
        let (store, other) = (try directory.open(), try directory.open())
        for number in 1...6 as ClosedRange<UInt64> {
            _ = try await (number.isMultiple(of: 2) ? store : other).put(
                sample(number, in: scene(of: number % 3 + 1), bytes: [1, 2]), retention: 20)
        }
        #expect(try await store.usage(of: owner().app) == Usage(bytes: 12, archives: 6, users: 3))
        #expect(try await store.findings().isEmpty)
    }
}
