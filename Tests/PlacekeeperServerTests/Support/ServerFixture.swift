import PlacekeeperAPI
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperCryptography
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Synchronization

@testable import PlacekeeperServer

/// The REST layer over the real domain and an in-memory store. Requests go through the router without a socket.
struct ServerFixture {
    /// The number of items that a device may register in tests.
    static let itemLimit = 100
    let clock = ManualClock()
    let store: FlakyStore
    let service: RestorationService
    var server: Server
    let log = LogLines()
    var app: App

    init(
        _ configuration: Server.Configuration = Server.Configuration(), assets: [Assets.File] = [],
        description: [UInt8]? = nil, gzip: (any GzipCoding)? = SystemGzip(), itemLimit: Int = Self.itemLimit,
        offload: OffloadQueue<UserKey> = OffloadQueue(), random: any RandomSource = SystemBytes(),
        passwords: (any PasswordHashing)? = nil, isShared: Bool = false,
        settings: (inout App.Settings) -> Void = { _ in }
    ) async throws {
        store = FlakyStore(isShared: isShared)
        service = RestorationService(
            store: store.intercepted, clock: clock, random: random, hashing: SystemHashing(),
            signIn: SpokenSubjects(), passwords: passwords, itemLimit: itemLimit, offload: offload)
        let log = log
        server = Server(
            service, configuration: configuration, assets: assets,
            description: description.map { Assets.File(name: "openapi.yaml", bytes: $0) }, gzip: gzip,
            log: { log.add($0) })
        app = try await service.apps.createApp("com.example.photos")
        settings(&app.settings)
        try await service.apps.replaceSettings(of: app.id, with: app.settings)
    }

    /// Registers a device over HTTP.
    func join(_ idiom: String = "phone", app key: String? = nil, with inviter: Member? = nil) async throws -> Member {
        var body = ["app": key ?? app.publishableKey, "idiom": idiom, "model": "iPhone16,1"]
        if let inviter {
            body["linkCode"] = try await send(.post, "/v1/link-codes", token: inviter.token).json(Wire.LinkCode.self)
                .code
        }
        let registered = try await send(.post, "/v1/devices", json: body).json(Wire.Registered.self)
        return Member(device: registered.device, token: registered.token, user: registered.user)
    }

    /// Also registers a device of a new user.
    func withDevice(_ idiom: String = "phone") async throws -> (ServerFixture, Member) {
        (self, try await join(idiom))
    }

    /// Also registers two devices of a new user.
    func withDevices(
        _ first: String = "phone", _ second: String = "phone"
    ) async throws -> (ServerFixture, Member, Member) {
        let member = try await join(first)
        return (self, member, try await join(second, with: member))
    }

    /// Signs a device in to the account of a subject. Nil stands for a token that is not valid.
    func signIn(_ member: Member, as subject: String?) async throws -> Answer {
        let token = subject.map { "subject " + $0 } ?? "nonsense"
        return try await send(.post, "/v1/devices/self/sign-in", token: member.token, json: ["token": token])
    }

    func send(
        _ method: PlacekeeperHTTP.Method, _ target: String, token: String? = nil, fields: [String] = [],
        body: [UInt8] = [], peer: String = "127.0.0.1"
    ) async throws -> Answer {
        try await send(
            method.token.description, target, token: token, fields: fields, body: body, peer: peer)
    }

    func send(
        _ method: PlacekeeperHTTP.Method, _ target: String, token: String? = nil, fields: [String] = [],
        json: [String: String], peer: String = "127.0.0.1"
    ) async throws -> Answer {
        try await send(
            method, target, token: token, fields: fields + ["Content-Type: application/json"],
            body: try JSONBody.encode(json), peer: peer)
    }

    /// Sends a request. The codec parses the request head, as on a connection.
    func send(
        _ method: String, _ target: String, token: String? = nil, fields: [String] = [], body: [UInt8] = [],
        peer: String = "127.0.0.1"
    ) async throws -> Answer {
        var fields = fields
        if let token { fields.append("Authorization: Bearer \(token)") }
        if !body.isEmpty { fields.append("Content-Length: \(body.count)") }
        let head = try Self.head(method, target, fields: fields)
        // The transport asks for the admission of a body first.
        var note: (any Sendable)?
        if !body.isEmpty, case .accept(_, let admitted) = server.admit(head, from: peer) { note = admitted }
        return Answer(await server.answer(to: Request(head: head, body: body, peer: peer, note: note)).response)
    }

    static func head(_ method: String, _ target: String, fields: [String]) throws -> RequestHead {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: places.example"] + fields
        let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        var decoder = RequestDecoder()
        guard case .head(let head) = bytes.withUnsafeBytes({ decoder.next($0) }).event else {
            throw Unreadable(target: target)
        }
        return head
    }

    /// Uploads an archive, by default of a phone with a place.
    @discardableResult
    func upload(
        _ number: Int, by member: Member, scene: String = "main", place: String? = "Albums", query: String = "",
        fields: [String] = []
    ) async throws -> Answer {
        try await send(
            .put, "/v1/scenes/\(scene)/archives/\(Self.id(number))\(query)", token: member.token, fields: fields,
            body: try Samples.archive(number, place: place))
    }

    /// Returns the number as a UUID.
    static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    struct Unreadable: Error {
        var target: String
    }
}

/// A registered device.
struct Member {
    var device: String
    var token: String
    var user: String
}

/// The lines of a log.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

struct SystemBytes: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { Random.bytes(count) }
}

struct SystemHashing: Hashing {
    func sha256(_ bytes: UnsafeRawBufferPointer) -> Digest {
        let words = SHA256.words(of: bytes)
        return Digest(words.0, words.1, words.2, words.3)
    }
}
