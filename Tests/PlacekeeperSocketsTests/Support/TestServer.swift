import PlacekeeperHTTP

@testable import PlacekeeperSockets

/// A responder that returns the response of a closure. The body of a response to a refusal is the refusal's code.
struct TestResponder: Responder {
    var admission: @Sendable (RequestHead) -> Admission = { _ in .accept(bodyLimit: 1 << 20) }
    /// Returns the answer to a request. Nil if the handler responds.
    var first: @Sendable (Request) -> Answer? = { _ in nil }
    var handler: @Sendable (Request) async -> Response

    func admit(_ head: RequestHead, from peer: String) -> Admission { admission(head) }
    func answer(to request: Request) -> Answer { first(request) ?? .handler { await handler(request) } }
    func response(to refusal: Refusal, of head: RequestHead?, from peer: String) -> Response {
        Response(refusal.status, body: .bytes(Array(refusal.code.utf8)))
    }

    static func stream(_ body: @escaping @Sendable (any BodyWriter) async throws -> Void) -> TestResponder {
        TestResponder { _ in Response(.ok, body: .stream(body)) }
    }

    /// Responds with the path and the body of the request.
    static let echo = TestResponder { .text($0.path + String(decoding: $0.body, as: UTF8.self)) }
}

extension Request {
    var path: String { String(decoding: head.bytes[head.path], as: UTF8.self) }
}

extension Response {
    static func text(_ text: String) -> Response { Response(.ok, body: .bytes(Array(text.utf8))) }
}

extension HTTPServer.Deadlines {
    /// The default deadlines in hours instead of seconds. The deadlines expire only when a test advances the clock,
    /// even on a slow machine.
    static let forTests: Self = {
        var deadlines = Self()
        deadlines.head = .hours(10)
        deadlines.body = .hours(30)
        deadlines.wholeBody = .hours(60)
        deadlines.idle = .hours(75)
        deadlines.write = .hours(30)
        deadlines.linger = .hours(2)
        return deadlines
    }()
}

extension Duration {
    static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
}

/// Runs `body` with a server on its own port, and then drains the server.
func withServer(
    _ responder: TestResponder, kernel: Kernel = .system,
    configure: (inout HTTPServer.Configuration) -> Void = { _ in },
    _ body: (HTTPServer) async throws -> Void
) async throws {
    var configuration = HTTPServer.Configuration()
    configuration.address = SocketAddress(host: "127.0.0.1", port: 0)
    configuration.deadlines = .forTests
    configuration.poller = EveryPoller.current
    configure(&configuration)
    let server = try HTTPServer(configuration: configuration, responder: responder, kernel: kernel)
    server.start()
    do {
        try await body(server)
    } catch {
        await server.drain(within: .zero)
        throw error
    }
    await server.drain(within: .zero)
}

/// Runs `body` with a server, and with a client that is connected to it.
func withClient(
    _ responder: TestResponder, configure: (inout HTTPServer.Configuration) -> Void = { _ in },
    _ body: (TestClient, HTTPServer) async throws -> Void
) async throws {
    try await withServer(responder, configure: configure) { server in try await body(try server.connect(), server) }
}

extension HTTPServer {
    func connect(receiveBuffer: Int32? = nil) throws -> TestClient {
        try TestClient(port: address.port, receiveBuffer: receiveBuffer)
    }

    /// Advances the clock until the client can read. Repeats the advance, because the client's bytes may not have
    /// reached the worker yet.
    func advanceClock(by duration: Duration, untilReadable client: TestClient) async throws {
        repeat { await advanceClock(by: duration) } while try await !client.isReadable(milliseconds: 100)
    }

    /// Waits until the statistics meet a condition, because the actions of a peer reach the server with a delay.
    func wait(until condition: (Statistics) -> Bool) async {
        while !condition(statistics) { await Task.yield() }
    }
}

extension Worker {
    /// The events that each connection watches.
    func watchedEvents() async -> [SocketEvents] {
        await withTaskExecutorPreference(self) {
            var watched: [SocketEvents] = []
            table.forEach { watched.append($1.pointee.watched) }
            return watched
        }
    }
}
