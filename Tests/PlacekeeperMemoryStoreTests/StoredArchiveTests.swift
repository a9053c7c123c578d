import PlacekeeperService
import Testing

@testable import PlacekeeperMemoryStore

@Suite struct StoredArchiveTests {
    private func archive() -> InMemoryStore.StoredArchive {
        let scene = SceneKey(owner: UserKey(app: AppID(high: 0, low: 1), user: UserID(high: 0, low: 2)), name: "main")
        let new = NewArchive(
            id: ArchiveID(high: 0, low: 3), scene: scene, device: DeviceID(high: 0, low: 4),
            capturedAt: Timestamp(milliseconds: 5), receivedAt: Timestamp(milliseconds: 6),
            context: Context(idiom: .phone), digest: Digest(0, 0, 0, 7), summary: Archive.Summary(), bytes: [8])
        let stored = new.stored(
            revision: Revision(rawValue: 9), at: CaptureOrder.Position(capturedAt: Timestamp(milliseconds: 5)))
        return InMemoryStore.StoredArchive(archive: stored, bytes: [8])
    }

    @Test func aChangedCopyLeavesTheOriginal() {
        let original = archive()
        let device = DeviceID(high: 0, low: 4)
        let changes: [(String, (inout InMemoryStore.StoredArchive) -> Void)] = [
            ("archive", { $0.archive.hasOutcomes = true }), ("bytes", { $0.bytes = [] }),
            ("snapshot size", { $0.snapshotSize = 1 }),
            ("served", { $0.served[device] = Timestamp(milliseconds: 10) }),
        ]
        for (name, change) in changes {
            var copy = original
            #expect(copy.isSame(as: original))
            change(&copy)
            #expect(!copy.isSame(as: original), "\(name)")
            #expect(!original.archive.hasOutcomes && original.bytes == [8], "\(name)")
            #expect(original.snapshotSize == 0 && original.served.isEmpty, "\(name)")
        }
    }
}
