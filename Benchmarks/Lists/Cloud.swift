import PlacekeeperArchive
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperTestSupport

/// The service for one person's devices, with a store in memory and a clock that stands still.
struct Cloud: Sendable {
    private static let context = Context(idiom: .phone, layout: .compact, bundleVersion: "1", systemVersion: "17.4")
    static let dataSource = "list"
    private static let offload = OffloadQueue<UserKey>()

    private let service: RestorationService
    private let clock = ManualClock(Timestamp(milliseconds: 1_800_000_000_000))
    /// The devices, in the order of their numbers.
    private(set) var principals: [Principal] = []
    private var archiveCount: UInt64 = 0

    init(devices: Int, _ chance: inout Chance) async throws {
        service = RestorationService(
            store: InMemoryStore(), clock: clock, random: SeededBytes(seed: chance.next()), hashing: SpreadingHash(),
            offload: Self.offload)
        let key = try await service.apps.createApp("com.example.lists").publishableKey
        for _ in 0..<devices {
            var registration = Registration(publishableKey: key, idiom: .phone)
            if let first = principals.first {
                registration.joins = .linkCode(try await service.devices.createLinkCode(for: first).code)
            }
            let token = try await service.devices.register(registration).token
            func principal() async throws -> Principal {
                guard let principal = try await service.devices.authenticate(token: ArraySlice(token.utf8))?.principal
                else {
                    throw BenchError("a new device is unknown")
                }
                return principal
            }
            let source = DataSource(scope: .registered)
            _ = try await service.lists.declare(source, named: Self.dataSource, for: try await principal())
            principals.append(try await principal())
        }
    }

    func now() -> Timestamp { clock.now() }
    func wait(_ seconds: Int) { clock.advance(.seconds(seconds)) }

    func apply(_ delta: ItemDelta, by device: Int) async throws {
        _ = try await service.lists.apply(delta, to: Self.dataSource, for: principals[device])
    }

    /// Uploads an archive with the references, and returns its scene.
    mutating func upload(_ references: [ModelReference], by device: Int) async throws -> String {
        archiveCount += 1
        let scene = "scene-\(archiveCount)"
        let archive = StateArchive(
            bundleVersion: "1", idiom: 0, timestamp: 0, systemVersion: "17.4", layout: .compact, references: references)
        let upload = Upload(id: ArchiveID(high: 0, low: archiveCount), scene: scene, bytes: try archive.encoded())
        _ = try await service.archives.store(upload, for: principals[device])
        return scene
    }

    /// Returns the references of the scene's archive as the service serves them to a device.
    func serve(_ scene: String, to device: Int) async throws -> [ModelReference] {
        let selection = try await service.restores.latest(
            in: scene, of: nil, for: Self.context, principal: principals[device])
        guard case .served(_, let bytes) = selection else { throw BenchError("the archive was not served") }
        return try StateArchive(reading: bytes).references
    }
}

/// A failure of the benchmark itself.
struct BenchError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Bytes that depend only on a seed and on the number of calls so far.
private final class SeededBytes: RandomSource {
    private let chance: LockBox<Chance>
    init(seed: UInt64) { chance = LockBox(Chance(seed: seed)) }
    func bytes(_ count: Int) -> [UInt8] {
        chance.withLock { chance in (0..<count).map { _ in UInt8(truncatingIfNeeded: chance.next()) } }
    }
}
