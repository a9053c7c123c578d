import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite

struct LastUseTests {
    /// Other writes can be performed between the transactions.
    @Test func writesTimesOfManyDevicesInSeveralTransactions() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let device = sampleDevice()
        _ = try await store.register(device, token: Digest(1, 0, 0, 1), linkCode: nil)
        // Most of these devices do not exist. Their times are ignored.
        var times: [UserKey: [DeviceID: Timestamp]] = [owner(): [device.id: at(500)]]
        for number in 2...2001 as ClosedRange<UInt64> {
            times[owner(1 + number % 3), default: [:]][DeviceID(high: 0, low: number)] = at(600)
        }
        let before = store.commits
        try await store.recordSeen(times)
        #expect(store.commits - before == 3)
        #expect(try await store.devices(of: owner()).map(\.lastSeenAt) == [at(500)])
        #expect(try await store.latestTime(of: owner()) == at(500))
    }
}
