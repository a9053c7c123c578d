import PlacekeeperCore
import PlacekeeperService

/// Values for tests of pure rules.
enum Fixture {
    static let owner = UserKey(app: AppID(high: 1, low: 1), user: UserID(high: 2, low: 1))

    static func archive(_ number: UInt64, idiom: Idiom = .phone, device: DeviceID = DeviceID(high: 3, low: 1))
        -> Archive
    {
        let time = Timestamp(milliseconds: Int64(number))
        return Archive(
            id: ArchiveID(high: 0, low: number), scene: SceneKey(owner: owner, name: "main"), device: device,
            revision: Revision(rawValue: Int64(number)), capturedAt: time, receivedAt: time, sequence: nil,
            context: Context(idiom: idiom), digest: Digest(number, 0, 0, 0), size: 1, summary: Archive.Summary())
    }

    static func capture(
        _ number: UInt64, device: DeviceID = DeviceID(high: 3, low: 1), capturedAt: Timestamp,
        receivedAt: Timestamp? = nil, sequence: Int64? = nil, restoredFrom: Revision? = nil,
        context: Context = Context(idiom: .phone)
    ) -> NewArchive {
        NewArchive(
            id: ArchiveID(high: 0, low: number), scene: SceneKey(owner: owner, name: "main"), device: device,
            capturedAt: capturedAt, receivedAt: receivedAt ?? capturedAt, sequence: sequence,
            restoredFrom: restoredFrom, context: context, digest: Digest(number, 0, 0, 0),
            summary: Archive.Summary(), bytes: [UInt8(truncatingIfNeeded: number)])
    }
}
