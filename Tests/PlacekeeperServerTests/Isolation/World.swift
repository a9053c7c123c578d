import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Synchronization
import Testing

@testable import PlacekeeperMemoryStore
@testable import PlacekeeperServer

/// A column of the isolation matrix: a token that a request may have.
enum TokenKind: String, CaseIterable {
    case owner, readOnly
    case otherUser, otherApp
    case missing, malformed, unknown
    /// The token was replaced more than a minute ago.
    case expired
    /// The token was replaced, and the request asked to revoke it at once.
    case replaced
    /// The token's device was revoked, was signed out, or belonged to a user that was erased.
    case revoked, signedOut, erased

    /// The tokens that authenticate nobody.
    static let invalid: [TokenKind] = [
        .missing, .malformed, .unknown, .expired, .replaced, .revoked, .signedOut, .erased,
    ]
}

/// Two apps, an owner with data, another user of the same app, and a user of the other app.
///
/// A second world without the owner is the same in all other respects: it has the same tokens, identifiers and times. So
/// a response that differs between both worlds reveals something about the owner.
struct World {
    let fixture: ServerFixture
    let otherUser: Member
    let otherApp: Member
    private(set) var tokens: [TokenKind: String] = [:]
    private(set) var names: ProbeNames?
    private(set) var ownerKey: UserKey?
    private let random = RepeatableBytes()
    private static let installation = (id: ServerFixture.id(500), secret: String(repeating: "s", count: 43))

    init(hasOwner: Bool = true) async throws {
        fixture = try await ServerFixture(
            description: [0x61], random: random, settings: { $0.allowsScreenshots = true })
        let second = try await fixture.service.apps.createApp("com.example.other")
        try await fixture.service.apps.replaceSettings(of: second.id, with: fixture.app.settings)
        otherUser = try await fixture.join()
        otherApp = try await fixture.join(app: second.publishableKey)
        for (number, member) in [(50, otherUser), (51, otherApp)] {
            try await fixture.upload(number, by: member, scene: "own")
            try await fixture.declare(by: member)
            try await fixture.change(#"{"upserts": [{"identifier": "p1", "aliases": ["own"]}]}"#, by: member)
            tokens[number == 50 ? .otherUser : .otherApp] = member.token
        }
        tokens[.malformed] = "nonsense"
        tokens[.unknown] = "pkd_" + String(repeating: "A", count: 43)
        if hasOwner { try await addOwner(otherApp: second.publishableKey) }
    }

    private mutating func addOwner(otherApp: String) async throws {
        let registration = Wire.Registration(
            app: fixture.app.publishableKey, idiom: .phone,
            installation: Wire.Installation(id: Self.installation.id, secret: Self.installation.secret))
        let registered = try await fixture.send(.post, "/v1/devices", body: try JSONText.value(registration))
            .json(Wire.Registered.self)
        let owner = Member(device: registered.device, token: registered.token, user: registered.user)
        #expect(try await fixture.signIn(owner, as: "anna").status == 200)
        let second = try await fixture.join(with: owner)
        try await fixture.upload(9, by: second)
        let uploaded = try await fixture.upload(1, by: owner)
        let archive = "/v1/scenes/main/archives/" + ServerFixture.id(1)
        #expect(
            try await fixture.send(.put, archive + "/screenshot", token: owner.token, body: Samples.png).status == 204)
        try await fixture.declare(named: "albums", by: owner)
        for member in [owner, second] {
            try await fixture.change(#"{"upserts": [{"identifier": "p1", "aliases": ["a"]}]}"#, by: member)
        }
        let code = try await fixture.send(.post, "/v1/link-codes", token: owner.token).json(Wire.LinkCode.self).code
        tokens[.owner] = owner.token
        tokens[.readOnly] = try await newToken(["access": "readOnly"])
        names = ProbeNames(
            device: second.device, app: fixture.app.publishableKey, otherApp: otherApp, linkCode: code,
            installation: Self.installation, entityTag: try #require(uploaded[.etag]))
        ownerKey = try await fixture.service.accounts.user(of: try #require(Subject("anna")), in: fixture.app.id)
    }

    private func newToken(_ members: [String: String]) async throws -> String {
        try await fixture.send(.post, "/v1/devices/self/token", token: tokens[.owner], json: members)
            .json(Wire.NewToken.self).token
    }

    /// Makes a world with an owner and with a token of a kind.
    init(preparing kind: TokenKind) async throws {
        try await self.init()
        try await prepare(kind)
    }

    func probes(of route: Route) throws -> [Probe] { try route.probes(try #require(names)) }

    /// Makes a token of an invalid kind, unless the world has it. The token was valid and was used before.
    private mutating func prepare(_ kind: TokenKind) async throws {
        guard [.expired, .replaced, .revoked, .signedOut, .erased].contains(kind) else { return }
        let owner = try #require(tokens[.owner])
        var token = owner
        if kind == .revoked || kind == .signedOut {
            token = try await fixture.join(with: Member(device: "", token: owner, user: "")).token
        }
        let device = try await fixture.send(.get, "/v1/devices/self", token: token)
        #expect(device.status == 200)
        switch kind {
        case .expired:
            _ = try await newToken([:])
            fixture.clock.advance(Credential.grace - .milliseconds(1))
            #expect(try await fixture.send(.get, "/v1/devices/self", token: token).status == 200)
            fixture.clock.advance(.milliseconds(1))
        case .replaced:
            let body = try JSONText.value(Wire.TokenRequest(revokesPrevious: true))
            #expect(try await fixture.send(.post, "/v1/devices/self/token", token: token, body: body).status == 201)
        case .revoked:
            let target = "/v1/devices/" + (try device.json(Wire.Device.self).id)
            #expect(try await fixture.send(.delete, target, token: owner).status == 204)
        case .signedOut:
            let answer = try await fixture.send(
                .post, "/v1/devices/self/sign-out", token: token, json: ["next": "none"])
            #expect(answer.status == 204)
        default: #expect(try await fixture.send(.delete, "/v1/users/self", token: token).status == 204)
        }
        tokens[kind] = token
    }

    /// Sends a probe with a token.
    ///
    /// - Parameter number: the seed of the identifiers that the service makes. Two worlds make the same identifiers for
    ///   the same number.
    func send(
        _ probe: Probe, with kind: TokenKind, method: PlacekeeperHTTP.Method? = nil, number: Int = 0
    ) async throws -> Answer {
        random.restart(number)
        return try await fixture.send(
            method ?? probe.method, probe.target, token: tokens[kind], fields: probe.fields, body: probe.body)
    }

    /// Returns everything that is stored, or everything that is stored for one user.
    func contents(of owner: UserKey? = nil) async throws -> [String] {
        let store = try #require(fixture.store.intercepted.base as? InMemoryStore)
        return await store.contents(of: owner)
    }
}

extension InMemoryStore {
    fileprivate func contents(of owner: UserKey?) -> [String] {
        let devices = devices.filter { owner == nil || $0.value.owner == owner }
        var lines = devices.map { "\($0)" }
        lines += tokens.filter { devices[$0.value.device] != nil }.map { "\($0)" }
        lines += installations.filter { devices[$0.value.device] != nil }.map { "\($0)" }
        lines += linkCodes.filter { owner == nil || $0.value.owner == owner }.map { "\($0)" }
        lines += usedLinkCodes.filter { devices[$0.value] != nil }.map { "\($0)" }
        lines += users.filter { owner == nil || $0.key == owner }.map { "\($0)" }
        lines += lists.filter { owner == nil || $0.key.owner == owner }.map { "\($0)" }
        lines += decisions.filter { owner == nil || $0.key.owner == owner }.map { "\($0)" }
        if owner == nil { lines += registeredApps.map { "\($0)" } }
        return lines.sorted()
    }
}

/// A source of random bytes that can start again.
private final class RepeatableBytes: RandomSource {
    private let state = Mutex<UInt64>(1)

    func restart(_ number: Int) { state.withLock { $0 = UInt64(number + 1) << 32 } }

    func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            (0..<count).map { _ in
                // A step of SplitMix64.
                state &+= 0x9E37_79B9_7F4A_7C15
                var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
                word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
                return UInt8(truncatingIfNeeded: word >> 32)
            }
        }
    }
}
