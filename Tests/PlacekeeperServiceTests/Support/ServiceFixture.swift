import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperTestSupport

/// The service over a store in memory, with a clock that only tests advance.
struct ServiceFixture {
    let store: any Store
    let clock = ManualClock()
    let service: RestorationService
    let app: App

    init(
        store: any Store = InMemoryStore(), itemLimit: Int = Limits.items,
        settings: (inout App.Settings) -> Void = { _ in }
    ) async throws {
        self.store = store
        service = RestorationService(
            store: store, clock: clock, random: SeededRandom(seed: 1), hashing: SpreadingHash(),
            signIn: SpokenSubjects(), itemLimit: itemLimit)
        var app = try await service.apps.createApp("com.example.photos")
        settings(&app.settings)
        try await service.apps.replaceSettings(of: app.id, with: app.settings)
        self.app = app
    }

    /// Registers a device, and returns the caller that its token authenticates.
    func join(_ idiom: Idiom = .phone, with inviter: Principal? = nil) async throws -> Principal {
        var registration = Registration(publishableKey: app.publishableKey, idiom: idiom, model: "iPhone16,1")
        if let inviter { registration.joins = .linkCode(try await service.devices.createLinkCode(for: inviter).code) }
        let registered = try await service.devices.register(registration)
        return try await principal(registered.token)
    }

    /// Also registers a device of a new user.
    func withDevice(_ idiom: Idiom = .phone) async throws -> (ServiceFixture, Principal) {
        (self, try await join(idiom))
    }

    /// Also registers two devices of a new user.
    func withDevices(
        _ first: Idiom = .phone, _ second: Idiom = .phone
    ) async throws -> (ServiceFixture, Principal, Principal) {
        let principal = try await join(first)
        return (self, principal, try await join(second, with: principal))
    }

    func principal(_ token: String) async throws -> Principal {
        guard let principal = try await service.devices.authenticate(token: ArraySlice(token.utf8))?.principal else {
            throw ServiceError(.deviceNotFound, "the token is unknown")
        }
        return principal
    }

    /// Uploads an archive with the caller's idiom.
    @discardableResult
    func upload(
        _ number: UInt64, by principal: Principal, scene: String = "main", place: [String] = ["Albums"],
        age: Duration = .zero, with change: (inout Upload) -> Void = { _ in }
    ) async throws -> PutResult {
        var archive = SampleArchive()
        archive.place = place
        archive.filler = "archive \(number)"
        var upload = Upload(id: ArchiveID(high: 0, low: number), scene: scene, bytes: archive.bytes)
        upload.idiom = principal.device.idiom
        upload.bundleVersion = "42"
        upload.interactionAge = age
        change(&upload)
        return try await service.archives.store(upload, for: principal)
    }

    func latest(
        for principal: Principal, of device: DeviceID? = nil, idiom: Idiom? = nil, bundleVersion: String? = "42",
        stateVersion: Int64? = nil, launch: LaunchID? = nil,
        isHeld: @escaping @Sendable (ServedVersion) -> Bool = { _ in false }
    ) async throws -> Selection {
        let context = Context(
            idiom: idiom ?? principal.device.idiom, bundleVersion: bundleVersion, stateVersion: stateVersion)
        return try await service.restores.latest(
            in: "main", of: device, for: context, principal: principal, launch: launch, isHeld: isHeld)
    }

    func report(
        _ result: Outcome.Result, of number: UInt64, by principal: Principal, bundleVersion: String? = "42",
        launch: LaunchID? = nil, details: Outcome.Details = Outcome.Details(), from network: String? = nil
    ) async throws {
        let context = Context(idiom: principal.device.idiom, bundleVersion: bundleVersion)
        try await service.restores.report(
            result, of: ArchiveID(high: 0, low: number), in: "main", context: context, launch: launch,
            details: details, from: network, principal: principal)
    }
}

extension Selection {
    var served: Served? { if case .served(let served, _) = self { served } else { nil } }
    /// The number of the served archive.
    var number: UInt64? { served?.archive.id.low }
    var refusals: [[String]]? {
        if case .incompatible(let candidates, _, _) = self { candidates.map { $0.reasons.map(\.code) } } else { nil }
    }
    var isNothing: Bool { if case .nothingStored = self { true } else { false } }
}

extension PutResult {
    var created: Archive? { if case .created(let archive, _) = self { archive } else { nil } }
}

/// SplitMix64. The same seed gives the same numbers.
final class SeededRandom: RandomSource {
    private let state: LockBox<UInt64>
    init(seed: UInt64) { state = LockBox(seed) }

    func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
            return word ^ word >> 31
        }
    }

    func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 11) } }
}
