import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

struct ArchiveSearchTests {
    /// A search continues over scenes that do not exist, and ends after the last scene.
    @Test func findsAnArchiveInALaterStep() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let owner = UserKey(app: AppID(high: 1, low: 1), user: UserID(high: 2, low: 2))
        let device = Device(
            id: DeviceID(high: 3, low: 3), owner: owner, idiom: .phone,
            createdAt: Timestamp(milliseconds: 1), lastSeenAt: Timestamp(milliseconds: 1))
        _ = try await store.register(NewDevice(device, token: Digest(1, 1, 1, 1), joins: .newUser))
        func put(_ number: UInt64, in name: String) async throws {
            _ = try await store.put(
                NewArchive(
                    id: ArchiveID(high: 4, low: number), scene: SceneKey(owner: owner, name: name), device: device.id,
                    capturedAt: Timestamp(milliseconds: 5), receivedAt: Timestamp(milliseconds: 5),
                    context: Context(idiom: .phone), digest: Digest(2, 2, 2, number), summary: Archive.Summary(),
                    bytes: [1]),
                retention: 20)
        }
        try await put(1, in: "early")
        let connection = try Connection(path: directory.database)
        try connection.execute("INSERT INTO scene (id, user, name) SELECT 2500, user, 'gap' FROM scene LIMIT 1")
        try await put(2, in: "late")
        let wanted = ArchiveID(high: 4, low: 2)
        var steps: [ArchiveSearch] = []
        var step: Int64? = 0
        while let next = step {
            steps.append(try await store.search(for: wanted, in: owner.app, from: next))
            step = steps.last?.next
        }
        #expect(steps.map(\.scenes) == [[], [], [SceneKey(owner: owner, name: "late")]])
        #expect(steps.map(\.next) == [1000, 2000, nil])
    }
}
