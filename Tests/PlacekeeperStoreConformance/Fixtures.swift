import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// Names and builders that the behaviors share. Numbers stand for identifiers and times.
func app(_ number: UInt64) -> AppID { AppID(high: 0xA, low: number) }
func user(_ number: UInt64, app appNumber: UInt64 = 1) -> UserKey {
    UserKey(app: app(appNumber), user: UserID(high: 0xB, low: number))
}
func device(_ number: UInt64) -> DeviceID { DeviceID(high: 0xC, low: number) }
func archive(_ number: UInt64) -> ArchiveID { ArchiveID(high: 0xD, low: number) }
func digest(_ number: UInt64) -> Digest { Digest(0xE, 0, 0, number) }
func scene(_ name: String = "main", of owner: UserKey = user(1)) -> SceneKey { SceneKey(owner: owner, name: name) }
/// Returns the time that is `seconds` after a fixed time in 2025.
func at(_ seconds: Double) -> Timestamp { Timestamp(milliseconds: 1_750_000_000_000 + Int64(seconds * 1000)) }

func makeApp(_ number: UInt64, bundle: String = "com.example.photos") -> App {
    App(id: app(number), bundleIdentifier: bundle, publishableKey: "pk_\(number)", createdAt: at(0))
}

func makeDevice(_ number: UInt64, of owner: UserKey = user(1), idiom: Idiom = .phone, at time: Timestamp = at(0))
    -> Device
{
    Device(
        id: device(number), owner: owner, idiom: idiom, model: "iPhone16,1", name: "Phone \(number)", createdAt: time,
        lastSeenAt: time)
}

/// Archive `number`. Its bytes and digest follow from `content`.
func capture(
    _ number: UInt64, content: UInt64? = nil, in scene: SceneKey = scene(), by maker: UInt64 = 1,
    idiom: Idiom = .phone, captured: Double, received: Double? = nil, sequence: Int64? = nil,
    restoredFrom: Revision? = nil, precondition: HeadPrecondition? = nil
) -> NewArchive {
    let content = content ?? number
    return NewArchive(
        id: archive(number), scene: scene, device: device(maker), capturedAt: at(captured),
        receivedAt: at(received ?? captured), sequence: sequence, restoredFrom: restoredFrom,
        precondition: precondition, context: Context(idiom: idiom, layout: .compact, bundleVersion: "42"),
        digest: digest(content), summary: Archive.Summary(place: ["Albums", "Sea"], objectCount: 3, referenceCount: 2),
        bytes: bytes(content))
}

/// Compressible bytes that differ for each content.
func bytes(_ content: UInt64) -> [UInt8] {
    Array(repeating: Array("state \(content) ".utf8), count: 100).flatMap { $0 }
}

extension Store {
    /// Registers devices of a user by number.
    func register(_ numbers: ClosedRange<UInt64>, of owner: UserKey = user(1)) async throws {
        for number in numbers {
            _ = try await register(makeDevice(number, of: owner), token: digest(number), linkCode: nil)
        }
    }

    /// Registers a device of a user that has no other data, so that the user exists.
    func makeUser(_ owner: UserKey) async throws {
        let number = 1000 + owner.user.low
        _ = try await register(makeDevice(number, of: owner), token: digest(number), linkCode: nil)
    }

    /// Stores an archive and expects the result `created`.
    @discardableResult
    func add(_ new: NewArchive, retention: Int = 20, sourceLocation: SourceLocation = #_sourceLocation) async throws
        -> Archive
    {
        let result = try await put(new, retention: retention).value
        guard case .created(let archive, _) = result else {
            Issue.record("not created: \(result)", sourceLocation: sourceLocation)
            throw StoreError(.unavailable, "not created")
        }
        return archive
    }

    /// Returns the numbers of the scene's archives, starting with the head.
    func history(_ scene: SceneKey = scene()) async throws -> [UInt64] {
        try await history(of: scene, below: nil, limit: 1000).archives.map(\.id.low)
    }
}
