import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

final class SnapshotTests: DeviceTests {
    private let image: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8,
        4, 0,
        0, 0, 0xB5, 0x1C, 0x0C, 2, 0, 0, 0, 0x0B, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x64, 0x60, 0, 0, 0, 6, 0,
        2, 0x30,
        0x81, 0xD0, 0x2F, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]

    override init() async throws {
        try await super.init()
        try await service.setAllowsSnapshots(true)
    }

    private func save(_ text: String, _ snapshot: [UInt8]) {
        phone.core.save(phone.archive(text), in: "main", .now, snapshot: snapshot, at: phone.clock.now())
    }

    private var snapshots: [TransportRequest] {
        phone.network.requests.filter { $0.target.hasSuffix("/screenshot") }
    }

    @Test func showsTheSnapshotOfAnOffer() async throws {
        save("Lisbon", image)
        await phone.flush()
        await pad.saveAndFlush("Porto")
        #expect(await pad.link(to: phone).isDone)
        service.clock.advance(by: 10)
        save("Faro", image)
        await phone.flush()
        let place = try #require(await pad.relaunch().offer?.place)
        #expect(place.hasSnapshot)
        guard case .snapshot(let bytes) = await pad.result(of: .snapshot(place)) else {
            Issue.record("there is no snapshot")
            return
        }
        #expect(bytes == image)
    }

    @Test func sendsASnapshotAfterItsStateAndOnce() async {
        phone.network.fault = .offline
        save("Lisbon", image)
        service.clock.advance(by: 1)
        save("Porto", image)
        await phone.flush()
        phone.network.repair()
        phone.restart()
        for _ in 0..<3 { await phone.flush() }
        let sent = phone.network.requests.filter { $0.method == "PUT" }.suffix(2).map(\.target)
        #expect(sent.count == 2)
        #expect(sent.last == (sent.first ?? "") + "/screenshot")
        #expect(!phone.files.paths.contains { $0.contains("/snapshot-") })
    }

    @Test func waitsForNoSnapshotAtLaunch() async {
        save("Lisbon", image)
        phone.network.failNext(.offline)
        await phone.flush()
        phone.restart()
        let count = phone.network.requests.count
        _ = await phone.launch()
        let launch = phone.network.requests.dropFirst(count).map(\.target)
        let latest = launch.firstIndex { $0.contains("/latest") }
        let snapshot = launch.firstIndex { $0.hasSuffix("/screenshot") }
        #expect(latest != nil)
        #expect(snapshot.map { $0 > latest ?? .max } ?? true)
    }

    @Test func sendsNoSnapshotsThatTheOperatorRefuses() async throws {
        try await service.setAllowsSnapshots(false)
        save("Lisbon", image)
        await phone.flush()
        service.clock.advance(by: 1)
        save("Porto", image)
        await phone.flush()
        #expect(snapshots.count == 1)
        #expect(phone.last.status.problem == nil)
        #expect(!phone.files.paths.contains { $0.contains("/snapshot-") })
    }

    @Test(arguments: [[], Array("GIF89a".utf8), [UInt8](repeating: 0xFF, count: 3 << 20)])
    func leavesOutOtherImages(image: [UInt8]) async {
        save("Lisbon", image)
        await phone.flush()
        #expect(snapshots.isEmpty)
        #expect(phone.last.status.unsentCount == 0)
        #expect(phone.last.status.omissions.map(\.name) == ["snapshot"])
        save("Porto", self.image)
        await phone.flush()
        #expect(phone.last.status.omissions.isEmpty)
    }
}
