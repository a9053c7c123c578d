@testable import PlacekeeperCore
@testable import PlacekeeperMatching
@testable import PlacekeeperService

func owner(_ number: UInt64 = 1) -> UserKey {
    UserKey(app: AppID(high: 0, low: 1), user: UserID(high: 0, low: number))
}

func scene(_ name: String = "main", of user: UInt64 = 1) -> SceneKey { SceneKey(owner: owner(user), name: name) }

func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_750_000_000_000 + milliseconds) }

/// An archive with the given bytes. By default, the bytes contain the archive's number.
func sample(_ number: UInt64, in scene: SceneKey = scene(), bytes: [UInt8]? = nil) -> NewArchive {
    let bytes = bytes ?? Array("state \(number)".utf8)
    return NewArchive(
        id: ArchiveID(high: 0, low: number), scene: scene, device: DeviceID(high: 0, low: 1),
        capturedAt: at(Int64(number)), receivedAt: at(Int64(number)), context: Context(idiom: .phone),
        digest: Digest(0, 0, UInt64(bytes.count), number), summary: Archive.Summary(place: ["Home"]), bytes: bytes)
}

func sampleDevice(_ number: UInt64 = 1, of owner: UserKey = owner()) -> Device {
    Device(
        id: DeviceID(high: 0, low: number), owner: owner, idiom: .phone, createdAt: at(0), lastSeenAt: at(0))
}

/// Returns a delta with the given upserts. All items of the delta have the same digest.
func sampleDelta(_ upserts: [PreparedDelta.Upsert] = []) -> PreparedDelta {
    PreparedDelta(upserts: upserts, removals: [], redirects: [], after: nil, time: at(0)) { _, _ in ItemDigest() }
}

extension Store {
    /// Returns the numbers of a scene's archives, starting with the head.
    func numbers(in scene: SceneKey = scene()) async throws(StoreError) -> [UInt64] {
        try await history(of: scene, below: nil, limit: 10_000).archives.map(\.id.low)
    }
}
