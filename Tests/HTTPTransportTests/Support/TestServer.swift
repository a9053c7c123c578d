import HTTPCodec

@testable import HTTPTransport

/// Answers with what a closure says; refusals with their code.
struct TestResponder: Responder {
    var admission: @Sendable (RequestHead) -> Admission = { _ in .accept(bodyLimit: 1 << 20) }
    var answer: @Sendable (Request) async -> Response

    func admit(_ head: RequestHead) -> Admission { admission(head) }
    func respond(to request: Request) async -> Response { await answer(request) }
    func response(to refusal: Refusal, of head: RequestHead?) -> Response {
        Response(refusal.status, body: .bytes(Array(refusal.code.utf8)))
    }

    /// Answers with the path and the body that came in.
    static let echo = TestResponder { .text($0.path + String(decoding: $0.body, as: UTF8.self)) }
}

extension Request {
    var path: String { String(decoding: head.bytes[head.path], as: UTF8.self) }
}

extension Response {
    static func text(_ text: String) -> Response { Response(.ok, body: .bytes(Array(text.utf8))) }
}

extension HTTPServer.Deadlines {
    /// The usual ones in hours instead of seconds: they come to pass when a test moves the clock, however slow it runs.
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

/// Runs `body` against a server that listens on a port of its own, and drains it afterwards.
func withServer(
    _ responder: TestResponder, kernel: Kernel = .linux,
    configure: (inout HTTPServer.Configuration) -> Void = { _ in },
    _ body: (HTTPServer) async throws -> Void
) async throws {
    var configuration = HTTPServer.Configuration()
    configuration.address = SocketAddress(host: "127.0.0.1", port: 0)
    configuration.deadlines = .forTests
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

extension HTTPServer {
    func connect(receiveBuffer: Int32? = nil) throws -> TestClient {
        try TestClient(port: address.port, receiveBuffer: receiveBuffer)
    }

    /// Lets time pass until something comes in at the client: what it sent before may still be on its way to the worker.
    func advanceClock(by duration: Duration, untilReadable client: TestClient) async throws {
        repeat { await advanceClock(by: duration) } while try await !client.isReadable(milliseconds: 100)
    }

    /// Waits until the statistics say so: what a peer does reaches the server in its own time.
    func wait(until condition: (Statistics) -> Bool) async {
        while !condition(statistics) { await Task.yield() }
    }
}
