import PlacekeeperHTTP
import Testing

@testable import PlacekeeperSockets

/// Tests of requests that one worker receives in the same turn. One task serves all of these requests until a handler
/// waits.
@Suite(.timeLimit(.minutes(20)), .everyPoller) struct BatchTests {
    @Test func handlerThatWaitsDoesNotDelayOtherRequests() async throws {
        let (hold, gate) = (Hold(), Gate())
        let responder = TestResponder { request in
            if request.path == "/hold" { hold.pass() }
            if request.path.hasPrefix("/wait") { await gate.pass() }
            return .text(request.path)
        }
        try await withServer(responder, configure: { $0.workers = 1 }) { server in
            let paths = ["/a", "/wait1", "/b", "/wait2", "/c"]
            let clients = try await Self.send(paths, while: hold, on: server)
            for (path, client) in zip(paths, clients) where !path.hasPrefix("/wait") {
                #expect(try await client.response().text == path)
            }
            await gate.waitForArrivals(2)
            gate.open()
            for (path, client) in zip(paths, clients) where path.hasPrefix("/wait") {
                #expect(try await client.response().text == path)
            }
        }
    }

    @Test func answersPipelinedRequestsInOrderWithAndWithoutATask() async throws {
        var responder = TestResponder { request in
            if request.path == "/wait" { await Task.yield() }
            return .text("later " + request.path)
        }
        responder.first = { $0.path.hasPrefix("/now") ? .ready(.text("at once " + $0.path)) : nil }
        try await withClient(responder, configure: { $0.workers = 1 }) { client, _ in
            let paths = ["/now1", "/a", "/now2", "/wait", "/now3", "/now4", "/wait", "/b"]
            try await client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            for path in paths {
                #expect(try await client.response().text == (path.hasPrefix("/now") ? "at once " : "later ") + path)
            }
        }
    }

    @Test func closesConnectionAfterAnAnswerWithoutATask() async throws {
        var responder = TestResponder.echo
        responder.first = { .ready(.text($0.path)) }
        try await withClient(responder) { client, _ in
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try await client.response().text == "/a")
            #expect(try await client.bytesToEnd().isEmpty)
        }
    }

    @Test func handlerThatCancelsItsTaskCancelsNoOtherHandler() async throws {
        let responder = TestResponder { request in
            if request.path == "/cancel" { withUnsafeCurrentTask { $0?.cancel() } }
            return .text("\(Task.isCancelled)")
        }
        try await withClient(responder) { client, _ in
            try await client.send(
                ["/a", "/cancel", "/b"].map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            for text in ["false", "true", "false"] { #expect(try await client.response().text == text) }
        }
    }

    @Test func resetOfAPeerCancelsOnlyItsOwnHandler() async throws {
        let (hold, gate, cancelled) = (Hold(), Gate(), Gate())
        let responder = TestResponder { request in
            switch request.path {
            case "/hold": hold.pass()
            case "/leave":
                try? await Task.sleep(for: .seconds(3600))
                cancelled.arrive()
            default: await gate.pass()
            }
            return .text("\(Task.isCancelled)")
        }
        try await withServer(responder, configure: { $0.workers = 1 }) { server in
            let clients = try await Self.send(["/stay", "/leave", "/stay"], while: hold, on: server)
            await gate.waitForArrivals(2)
            try await clients[1].reset()
            await cancelled.waitForArrivals()
            gate.open()
            for index in [0, 2] { #expect(try await clients[index].response().text == "false") }
        }
    }

    /// The second request waits, so the worker watches the connection neither for input nor for room to send.
    @Test func resetOfAPeerThatPipelinesCancelsItsHandler() async throws {
        let (arrived, cancelled) = (Gate(), Gate())
        let responder = TestResponder { _ in
            arrived.arrive()
            try? await Task.sleep(for: .seconds(3600))
            cancelled.arrive()
            return .text("")
        }
        try await withClient(responder, configure: { $0.workers = 1 }) { client, server in
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            await arrived.waitForArrivals()
            try await client.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            while await !server.workers[0].watchedEvents().allSatisfy(\.isEmpty) { await Task.yield() }
            try await client.reset()
            await cancelled.waitForArrivals()
            await server.wait { $0.openConnections == 0 }
        }
    }

    /// The peer receives the waiting bytes and finishes sending. The worker sees both events in one batch, and must
    /// still respond to the requests that it received before.
    @Test func respondsToAllRequestsSentBeforeThePeerFinished() async throws {
        let hold = Hold()
        let body = [UInt8](repeating: 7, count: 40_000)
        let responder = TestResponder { request in
            if request.path == "/hold" { hold.pass() }
            return Response(.ok, body: .bytes(body))
        }
        try await withServer(responder, configure: { $0.workers = 1 }) { server in
            let client = try server.connect(receiveBuffer: 4096)
            let requests = 400
            try await client.send(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: requests))
            await server.wait { $0.bufferedBytes > 0 }
            let before = server.statistics
            #expect(before.requests < requests)
            let holder = try server.connect()
            try await holder.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
            await hold.waitForArrival()
            _ = try await client.peek(before.requests * body.count - before.bufferedBytes)
            try await client.finishSending()
            hold.open()
            let responses = try #require(ReceivedResponse.parseAll(try await client.bytesToEnd()))
            #expect(responses.count == requests)
        }
    }

    /// Sends one request from each of several clients. The server's only worker sees all requests in one turn.
    static func send(
        _ paths: [String], while hold: Hold, on server: HTTPServer, connected: Int = 0,
        andThen finish: () async throws -> Void = {}
    ) async throws -> [TestClient] {
        let holder = try server.connect()
        let clients = try paths.map { _ in try server.connect() }
        await server.wait { $0.acceptedConnections == connected + paths.count + 1 }
        try await holder.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
        await hold.waitForArrival()
        for (path, client) in zip(paths, clients) {
            try await client.sendToBusyServer("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        try await finish()
        hold.open()
        return clients
    }
}
