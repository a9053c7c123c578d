import PlacekeeperRuntime
package import PlacekeeperClient
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMemoryStore
package import PlacekeeperServer
package import PlacekeeperService

/// The real service in memory, without sockets: the code that answers over HTTP, with a store in memory.
///
/// `device(_:bundleVersion:_:)` creates virtual devices, which run the app's client. Time stands still until the test
/// advances it, with `advance(by:)`, `advancingClock(_:)` or `clock`. Tests never sleep: `settle()` waits until no
/// device has work left.
///
/// The service accepts the sign-in tokens that `signInToken(of:)` returns.
public final class TestService: Sendable {
    /// The clock of the service and of its devices.
    package let clock: TestClock
    /// The app's publishable key.
    public let key: String
    /// The routes of the service, which an HTTP server can serve.
    package let server: Server
    let service: RestorationService
    let app: AppID
    let activity = Activity()
    let devices = LockBox(Devices())

    /// Creates a service with one app.
    public convenience init() async throws { try await self.init(clock: TestClock()) }

    /// Creates a service with a clock.
    package convenience init(clock: TestClock) async throws {
        try await self.init(clock: clock, store: InMemoryStore())
    }

    /// How far the clock has advanced since the service was created.
    public var elapsed: Duration { .seconds(clock.seconds - TestClock.start) }

    /// Creates a service with a store. Uses the store's app, or creates one in an empty store.
    package init(clock: TestClock, store: any Store) async throws {
        self.clock = clock
        service = RestorationService(
            store: store, clock: ServiceClock(clock: clock), random: SystemBytes(),
            hashing: ClientHash(), signIn: SpokenAccounts())
        server = Server(service)
        let stored = try await service.apps.apps().first
        let app = if let stored { stored } else { try await service.apps.createApp("com.example.app") }
        key = app.publishableKey
        self.app = app.id
    }

    /// Sets how clients use archives: `auto`, `offer` or `off`.
    public func setRestoration(_ mode: String) async throws {
        guard var app = try await service.apps.apps().first(where: { $0.id == app }),
            let restoration = App.Settings.Restoration(rawValue: mode)
        else { return }
        app.settings.restoration = restoration
        try await service.apps.replaceSettings(of: app.id, with: app.settings)
    }

    /// Sets the other idioms whose full state a device may restore. None by default.
    public func setAcceptedIdioms(_ idioms: [VirtualDevice.Idiom], on idiom: VirtualDevice.Idiom) async throws {
        func name(_ idiom: VirtualDevice.Idiom) -> String? {
            Idiom(rawValue: Int(idiom.userInterfaceIdiom.rawValue))?.name
        }
        guard let key = name(idiom) else { return }
        try await change { $0.policy.acceptedIdioms[key] = idioms.compactMap(name) }
    }

    /// Allows or refuses screenshots. They are refused by default.
    public func setAllowsSnapshots(_ allows: Bool) async throws {
        guard var app = try await service.apps.apps().first(where: { $0.id == app }) else { return }
        app.settings.allowsScreenshots = allows
        try await service.apps.replaceSettings(of: app.id, with: app.settings)
    }

    /// Returns the account of the device with a token. Nil for a device of an anonymous user, and for an invalid token.
    package func account(ofDeviceWith token: String) async -> String? {
        guard let principal = try? await service.devices.authenticate(token: Array(token.utf8)[...])?.principal,
            let subject = try? await service.accounts.subject(of: principal.owner)
        else { return nil }
        return String(decoding: subject.bytes, as: UTF8.self)
    }

    /// The address of devices that were added without one. The service doesn't limit their requests.
    static let loopback = "127.0.0.1"

    /// Answers a request from an address.
    package func answer(
        _ request: TransportRequest, from address: String = loopback
    ) async throws(TransportError) -> TransportResponse {
        let head = try Self.head(of: request)
        let note: (any Sendable)?
        switch server.admit(head, from: address) {
        case .refuse(let answer): return response(answer, Self.bytes(of: answer))
        case .accept(let limit, let admitted):
            note = admitted
            guard request.body.count <= limit else {
                let refusal = Refusal(.contentTooLarge, code: "content-too-large", "The body is too large.")
                let answer = server.response(to: refusal, of: head, from: address)
                return response(answer, Self.bytes(of: answer))
            }
        }
        let answer = await server.answer(
            to: Request(head: head, body: request.body, peer: address, note: note)
        ).response
        return response(answer, Self.bytes(of: answer))
    }

    /// Answers a request with an event stream, until `receive` returns false.
    package func stream(
        _ request: TransportRequest, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) {
        let response = await server.answer(to: Request(head: try Self.head(of: request))).response
        guard case .stream(let write) = response.body else { return }
        do {
            try await write(Pieces(receive: receive))
        } catch is Pieces.Ended {
            return
        } catch {
            throw Task.isCancelled ? .canceled : .unreachable("The stream ended.")
        }
        if Task.isCancelled { throw .canceled }
    }

    private struct Pieces: BodyWriter {
        /// The receiver ended the stream.
        struct Ended: Error {}

        let receive: @Sendable ([UInt8]) -> Bool

        func write(_ bytes: [UInt8]) async throws {
            try Task.checkCancellation()
            guard receive(bytes) else { throw Ended() }
        }
    }

    private static func head(of request: TransportRequest) throws(TransportError) -> RequestHead {
        var lines = ["\(request.method) \(request.target) HTTP/1.1", "Host: places.example"]
        lines += request.fields.map { "\($0.name): \($0.value)" }
        if !request.body.isEmpty { lines.append("Content-Length: \(request.body.count)") }
        let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        var decoder = RequestDecoder()
        guard case .head(let head) = bytes.withUnsafeBytes({ decoder.next($0) }).event else {
            throw .invalid("The request is not valid HTTP.")
        }
        return head
    }

    private static func bytes(of response: Response) -> [UInt8] {
        if case .bytes(let bytes) = response.body { bytes } else { [] }
    }

    /// Returns the response as a transport receives it, with the date that an HTTP server adds.
    private func response(_ response: Response, _ body: [UInt8]) -> TransportResponse {
        let lines = String(decoding: response.fields.bytes, as: UTF8.self).split(separator: "\r\n")
        var fields = lines.compactMap { line -> TransportRequest.Field? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return TransportRequest.Field(line[..<colon].lowercased(), String(value))
        }
        let date = HTTPDate.bytes(secondsSince1970: Int(clock.seconds))
        fields.append(.init("date", String(decoding: date, as: UTF8.self)))
        return TransportResponse(status: Int(response.status.rawValue), fields: fields, body: body)
    }
}

/// Accepts any token of the form `subject NAME`.
private struct SpokenAccounts: SignInVerifying {
    func subject(of token: [UInt8], for app: App, at now: Timestamp) async -> Subject? {
        let prefix = "subject "
        let text = String(decoding: token, as: UTF8.self)
        return text.hasPrefix(prefix) ? Subject(String(text.dropFirst(prefix.count))) : nil
    }
}

private struct SystemBytes: RandomSource {
    func bytes(_ count: Int) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}

/// The client's SHA-256, so the client and the service compute the same digests of items.
private struct ClientHash: Hashing {
    func sha256(_ bytes: UnsafeRawBufferPointer) -> Digest {
        let words = SHA256.words(of: bytes)
        func word(_ index: Int) -> UInt64 { UInt64(words[index]) << 32 | UInt64(words[index + 1]) }
        return Digest(word(0), word(2), word(4), word(6))
    }
}
