import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperTestSupport

/// Devices of one user that register items, and archives that refer to them.
struct IdentityFixture {
    let fixture: ServiceFixture
    var phone: Principal
    var pad: Principal
    var other: Principal

    static let list = "photos"

    init(
        _ source: DataSource = DataSource(scope: .registered), store: any Store = InMemoryStore(),
        itemLimit: Int = Limits.items
    ) async throws {
        fixture = try await ServiceFixture(store: store, itemLimit: itemLimit)
        let first = try await fixture.join()
        _ = try await fixture.service.lists.declare(source, named: Self.list, for: first)
        // A caller contains the app as it was when the caller joined. Only callers that join after the declaration
        // contain the data source.
        phone = try await fixture.join()
        pad = try await fixture.join(with: phone)
        other = try await fixture.join(with: phone)
    }

    var service: RestorationService { fixture.service }

    func register(_ items: Item..., removals: [String] = [], on principal: Principal) async throws {
        try await register(items, removals: removals, on: principal)
    }

    func register(_ items: [Item], removals: [String] = [], on principal: Principal) async throws {
        fixture.clock.advance(.seconds(1))
        _ = try await service.lists.apply(ItemDelta(upserts: items, removals: removals), to: Self.list, for: principal)
    }

    func redirect(_ from: String, to target: String, on principal: Principal) async throws {
        fixture.clock.advance(.seconds(1))
        let delta = ItemDelta(redirects: [.init(from: from, to: target)])
        _ = try await service.lists.apply(delta, to: Self.list, for: principal)
    }

    /// Makes a decision about an item of the phone and an item of the pad.
    func decide(_ kind: Link.Kind, _ own: String, _ other: String) async throws {
        try await service.lists.decide(
            kind, .init(device: phone.device.id, identifier: own), .init(device: pad.device.id, identifier: other),
            note: "seen", in: ItemList(owner: phone.owner, dataSource: Self.list))
    }

    /// Resolves an identifier of the source device to an item of the requesting device.
    func resolve(_ identifier: String, of source: Principal, for requestingDevice: Principal) async throws
        -> ItemResolution
    {
        try await service.lists.resolve([identifier], of: source.device.id, in: Self.list, for: requestingDevice)[0]
    }

    /// Uploads an archive with references, captured now.
    func upload(_ references: [ModelReference], by principal: Principal, number: UInt64 = 1) async throws -> [UInt8] {
        fixture.clock.advance(.seconds(1))
        let bytes = try StateArchive(
            bundleVersion: "42", idiom: 0, application: ["note": .string("p1"), "photo": .reference(0)],
            references: references
        ).encoded()
        let upload = Upload(id: ArchiveID(high: 0, low: number), scene: "main", bytes: bytes)
        _ = try await service.archives.store(upload, for: principal)
        fixture.clock.advance(.seconds(1))
        return bytes
    }

    func latest(for principal: Principal, isHeld: @escaping @Sendable (ServedVersion) -> Bool = { _ in false })
        async throws
        -> Selection
    {
        let context = Context(idiom: .phone, bundleVersion: "42")
        return try await service.restores.latest(
            in: "main", of: nil, for: context, principal: principal, isHeld: isHeld)
    }

    /// Returns the references of the latest archive as it is served to a device.
    func references(for principal: Principal) async throws -> [ModelReference] {
        guard case .served(_, let bytes) = try await latest(for: principal) else { return [] }
        return try StateArchive(reading: bytes).references
    }
}

extension ModelReference {
    static func to(
        _ identifier: String?, aliases: [String] = [], role: Role = .selected, before: [String] = [],
        after: [String] = []
    ) -> ModelReference {
        ModelReference(
            dataSource: IdentityFixture.list, element: .init(identifier, aliases: aliases), role: role,
            before: before.map { .init($0) }, after: after.map { .init($0) })
    }
}
