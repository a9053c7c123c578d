import PlacekeeperArchive
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperMemoryStore
import PlacekeeperRuntime
import PlacekeeperSampleApps
import PlacekeeperService
import PlacekeeperStandIns
import PlacekeeperStoreConformance
import PlacekeeperTestSupport

/// The service for one user's devices, with an in-memory store.
@MainActor
final class Cloud {
    private let service: RestorationService
    private let clock = ManualClock(Timestamp(milliseconds: 1_800_000_000_000))
    private let publishableKey: String
    private var inviter: String?
    private var uploads: UInt64 = 0

    init() async throws {
        service = RestorationService(
            store: InMemoryStore(), clock: clock, random: CountingRandom(), hashing: SpreadingHash())
        publishableKey = try await service.apps.createApp("com.example.samples").publishableKey
    }

    /// A registered device.
    struct Member {
        let layout: DeviceLayout
        let token: String
    }

    /// Registers a device of the user, and declares the data sources of the app.
    func join(
        _ layout: DeviceLayout, scope: DataSource.Scope = .registered, selectsNeighbors: Bool = false
    ) async throws -> Member {
        var registration = Registration(publishableKey: publishableKey, idiom: layout.idiom, model: "Sample1,1")
        if let inviter {
            registration.joins = .linkCode(
                try await service.devices.createLinkCode(for: try await principal(inviter)).code)
        }
        let token = try await service.devices.register(registration).token
        inviter = inviter ?? token
        for (name, scope) in [("items", scope), ("help", .shared)] {
            let source = DataSource(scope: scope, selectsNeighbors: selectsNeighbors && name == "items")
            _ = try await service.lists.declare(source, named: name, for: try await principal(token))
        }
        return Member(layout: layout, token: token)
    }

    /// Registers items of a device, and removes other items of the same device.
    @discardableResult
    func register(
        _ elements: [RegisteredElement], removing identifiers: [String] = [],
        redirecting redirects: [ItemDelta.Redirect] = [], of member: Member
    ) async throws -> RegistrationState {
        let items = elements.map { Item($0.identifier, aliases: $0.aliases, position: $0.position) }
        let delta = ItemDelta(upserts: items, removals: identifiers, redirects: redirects)
        return try await service.lists.apply(delta, to: "items", for: try await principal(member.token))
    }

    /// Uploads a device's archive.
    func upload(_ bytes: [UInt8], from member: Member) async throws {
        uploads += 1
        clock.advance(.seconds(1))
        let upload = Upload(id: ArchiveID(high: 0, low: uploads), scene: "main", bytes: bytes)
        _ = try await service.archives.store(upload, for: try await principal(member.token))
        clock.advance(.seconds(1))
    }

    /// Returns the latest archive as the service serves the archive to a device. Nil if the service serves no archive.
    func latest(for member: Member) async throws -> [UInt8]? {
        let device = member.layout.context(bundleVersion: "\(SampleVersion.current)")
        var context = Context(idiom: member.layout.idiom, bundleVersion: device.bundleVersion)
        context.systemVersion = device.systemVersion
        context.layout = device.layout == .regular ? .regular : .compact
        let principal = try await principal(member.token)
        let selection = try await service.restores.latest(in: "main", of: nil, for: context, principal: principal)
        return if case .served(_, let bytes) = selection { bytes } else { nil }
    }

    /// Uploads a device's archive, and returns the archive that the service then serves to another device.
    func serve(_ bytes: [UInt8], from source: Member, to target: Member) async throws -> [UInt8]? {
        try await upload(bytes, from: source)
        return try await latest(for: target)
    }

    private func principal(_ token: String) async throws -> Principal {
        guard let principal = try await service.devices.authenticate(token: ArraySlice(token.utf8))?.principal else {
            throw ServiceError(.deviceNotFound, "The token is unknown.")
        }
        return principal
    }
}

extension DeviceLayout {
    fileprivate var idiom: Idiom { self == .tabs ? .phone : .pad }
}

/// A source of bytes that are not random: they depend only on the number of calls so far.
private final class CountingRandom: RandomSource {
    private let count = LockBox(UInt64(0))

    func bytes(_ count: Int) -> [UInt8] {
        let number = self.count.withLock { number in
            number += 1
            return number
        }
        return (0..<count).map { UInt8(truncatingIfNeeded: number &* 0x9E37_79B9_7F4A_7C15 >> (UInt64($0) % 8 * 8)) }
    }
}
