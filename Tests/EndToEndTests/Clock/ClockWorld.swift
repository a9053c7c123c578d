import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperCryptography
import PlacekeeperHTTP
import PlacekeeperMemoryStore
import PlacekeeperPostgres
import PlacekeeperSQLite
import PlacekeeperServer
import PlacekeeperService
import PlacekeeperTokens
import Testing

@testable import placekeeper

/// The service without sockets, over a store that survives restarts, with the test's clocks. The service verifies sign-in
/// tokens as the command does. Its random numbers depend only on the person that acts, so two runs with the same steps of a
/// person give this person the same answers.
final class ClockWorld {
    enum Backend: CaseIterable { case memory, database }

    let time = TestTime()
    private(set) var key = ""
    private(set) var service: RestorationService
    private var store: any Store
    private var api: Server
    private let data = try? TemporaryDirectory()
    private let erasures: any ErasureLog
    private let random: PersonsRandom
    private static let secret = Array("a secret of at least thirty-two bytes".utf8)

    init(_ backend: Backend) async throws {
        let directory = try #require(data).path
        switch backend {
        case .memory: (store, erasures) = (InMemoryStore(), ErasuresInMemory())
        case .database: (store, erasures) = (try await Self.open(directory), ErasureFile(directory: directory))
        }
        random = PersonsRandom()
        service = Self.service(store, time, random, erasures)
        api = Server(service)
        var app = try await service.apps.createApp("com.example.photos")
        app.settings.signIn.keys = [["kty": "oct", "alg": "HS256", "kid": "one", "k": Base64URL.encode(Self.secret)]]
        try await service.apps.replaceSettings(of: app.id, with: app.settings)
        key = app.publishableKey
    }

    private static func open(_ directory: String) async throws -> any Store {
        if let url = try TestDatabase.url(of: directory) {
            return try await PostgresStore(PostgresStore.Configuration(url: url))
        }
        var configuration = SQLiteStore.Configuration()
        configuration.writeDeadline = .seconds(600)
        configuration.readDeadline = .seconds(600)
        return try SQLiteStore(directory: directory, compression: DeflatedBlobs(), configuration: configuration)
    }

    private static func service(
        _ store: any Store, _ time: TestTime, _ random: PersonsRandom, _ erasures: any ErasureLog
    ) -> RestorationService {
        RestorationService(
            store: store, clock: time, random: random, hashing: SystemHashing(), signIn: TokenSignIn { _ in },
            erasures: erasures)
    }

    /// Shuts the service down, and starts it again over the same data.
    func restart() async throws {
        try await api.flush()
        if !(store is InMemoryStore) {
            await store.close()
            store = try await Self.open(try #require(data).path)
        }
        service = Self.service(store, time, random, erasures)
        try await service.accounts.resumeErasures()
        api = Server(service)
    }

    func close() async { await store.close() }

    /// Does the chores of an hour.
    func keepUp() async throws {
        try await api.flush()
        _ = try await api.checkClock()
        try await service.upkeep.prune()
    }

    /// Sends a request of a person.
    func send(
        _ person: String, _ method: String, _ target: String, token: String? = nil, fields: [(String, String)] = [],
        body: [UInt8] = []
    ) async throws -> Answer {
        random.person.withLock { $0 = person }
        var lines = ["\(method) \(target) HTTP/1.1", "Host: places.example", "X-Request-ID: \(person)"]
        if let token { lines.append("Authorization: Bearer \(token)") }
        lines += fields.map { "\($0.0): \($0.1)" }
        if !body.isEmpty { lines.append("Content-Length: \(body.count)") }
        var decoder = RequestDecoder()
        let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        guard case .head(let head) = bytes.withUnsafeBytes({ decoder.next($0) }).event,
            case .accept(_, let note) = api.admit(head, from: "127.0.0.1")
        else { return Answer(status: 0, fields: "", body: []) }
        let request = Request(head: head, body: body, peer: "127.0.0.1", note: note)
        let response = await api.answer(to: request).response
        var content: [UInt8] = []
        if case .bytes(let bytes) = response.body { content = bytes }
        return Answer(
            status: Int(response.status.rawValue), fields: String(decoding: response.fields.bytes, as: UTF8.self),
            body: content)
    }

    struct Answer {
        var status: Int
        var fields: String
        var body: [UInt8]
        var text: String { "\(status)\n\(fields)\n\(String(decoding: body, as: UTF8.self))" }
    }

    /// Returns a sign-in token that is valid from and until some seconds after the system's time.
    func signInToken(of subject: String, from: Int64? = nil, until end: Int64) -> String {
        let now = time.now().milliseconds / 1000
        let header = Base64URL.encode(Array(#"{"alg":"HS256","kid":"one"}"#.utf8))
        let start = from.map { #","nbf":\#(now + $0)"# } ?? ""
        let claims = Base64URL.encode(Array(#"{"sub":"\#(subject)","exp":\#(now + end)\#(start)}"#.utf8))
        let code = HMAC.sha256(Array("\(header).\(claims)".utf8), key: Self.secret)
        return "\(header).\(claims).\(Base64URL.encode(code))"
    }
}

/// Random numbers with a seed for each person.
final class PersonsRandom: RandomSource {
    let person = LockBox("operator")
    private let numbers = LockBox([String: SplitMix]())

    func bytes(_ count: Int) -> [UInt8] {
        let person = person.withLock { $0 }
        return numbers.withLock { numbers in
            var own = numbers[person] ?? SplitMix(state: person.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
            defer { numbers[person] = own }
            return (0..<count).map { _ in UInt8(truncatingIfNeeded: own.next() >> 11) }
        }
    }
}

/// The same state gives the same numbers (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators").
struct SplitMix: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}
