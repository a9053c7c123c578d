import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite

/// Measures the cost of an upload in steps of SQLite's virtual machine.
struct UploadCostTests {
    /// Returns the number of steps of ten uploads to a scene. Before these uploads, `count` devices were served one
    /// archive each, and `count` other devices uploaded one archive each.
    private func steps(withDevices count: UInt64, revoked: UInt64 = 0) async throws -> Int {
        let directory = try DataDirectory()
        let store = try directory.open()
        for number in 1...(2 * count + revoked + 1) {
            _ = try await store.register(
                sampleDevice(number), token: Digest(1, 0, 0, number), linkCode: nil)
            if number > 2 * count + 1 {
                _ = try await store.put(upload(number, by: number), retention: 20)
                _ = try await store.revoke(DeviceID(high: 0, low: number), of: owner(), at: at(0))
            }
        }
        var number: UInt64 = 10_000
        for device in 1...count {
            number += 2
            _ = try await store.put(upload(number, by: 1), retention: 20)
            _ = try await store.put(upload(number + 1, by: 1 + count + device), retention: 20)
            try await store.recordServing(
                ArchiveID(high: 0, low: number), in: scene(), to: DeviceID(high: 0, low: 1 + device),
                at: at(Int64(number)))
        }
        // Uploads archives until the scene has the maximum number of archives and is cached.
        for _ in 0..<30 {
            number += 2
            _ = try await store.put(upload(number, by: 1), retention: 20)
        }
        let before = try await store.writer.write { $0.connection.stepsTaken }
        for _ in 0..<10 {
            number += 2
            _ = try await store.put(upload(number, by: 1), retention: 20)
        }
        return try await store.writer.write { $0.connection.stepsTaken } - before
    }

    private func upload(_ number: UInt64, by device: UInt64) -> NewArchive {
        var new = sample(number)
        new.device = DeviceID(high: 0, low: device)
        new.actor = new.device
        return new
    }

    @Test func uploadCostDoesNotDependOnTheNumberOfDevices() async throws {
        let one = try await steps(withDevices: 1)
        let many = try await steps(withDevices: 120)
        #expect(one > 0 && many <= one + one / 20, "\(one) and \(many)")
    }

    @Test func uploadCostDoesNotDependOnRevokedDevices() async throws {
        let none = try await steps(withDevices: 1)
        let many = try await steps(withDevices: 1, revoked: 500)
        #expect(many <= none + none / 20, "\(none) and \(many)")
    }
}
