import PlacekeeperHTTP
import Synchronization
import Testing

@testable import PlacekeeperSockets

/// Tests of requests and responses on one connection.
@Suite(.timeLimit(.minutes(20)), .everyPoller) struct ExchangeTests {
    @Test func respondsToSuccessiveRequestsOnOneConnection() async throws {
        try await withClient(.echo) { client, server in
            for path in ["/a", "/b", "/c"] {
                try await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                let response = try await client.response()
                #expect(response.status == 200)
                #expect(response.text == path)
                #expect(response.fields["connection"] == nil)
                #expect(response.fields["date"]?.hasSuffix(" GMT") == true)
            }
            #expect(server.statistics.acceptedConnections == 1)
            #expect(server.statistics.requests == 3)
        }
    }

    @Test func respondsToPipelinedRequestsInOrderWhileOneWaits() async throws {
        let gate = Gate()
        let responder = TestResponder { request in
            if request.path == "/2" { await gate.pass() }
            return .text(request.path)
        }
        try await withClient(responder) { client, server in
            try await client.send((1...4).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            #expect(try await client.response().text == "/1")
            await gate.waitForArrivals()
            // The server does not start the third request while the handler of the second request waits.
            #expect(server.statistics.requests == 2)
            gate.open()
            for path in ["/2", "/3", "/4"] { #expect(try await client.response().text == path) }
        }
    }

    @Test func servesOtherConnectionsWhileAHandlerYields() async throws {
        let isDone = Atomic(false)
        let arrivals = Gate()
        let responder = TestResponder { request in
            if request.path == "/end" { isDone.store(true, ordering: .relaxed) }
            arrivals.open()
            while !isDone.load(ordering: .relaxed) { await Task.yield() }
            return .text(request.path)
        }
        try await withServer(responder, configure: { $0.workers = 1 }) { server in
            let (first, second) = (try server.connect(), try server.connect())
            try await first.send("GET /yields HTTP/1.1\r\nHost: a\r\n\r\n")
            await arrivals.pass()
            try await second.send("GET /end HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await second.response().text == "/end")
            #expect(try await first.response().text == "/yields")
        }
    }

    @Test func readsARequestThatArrivesByteByByte() async throws {
        try await withClient(.echo) { client, _ in
            try await client.sendByteByByte(
                Array(
                    "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /c HTTP/1.1\r\nHost: a\r\n\r\n"
                        .utf8))
            #expect(try await client.response().text == "/bhello")
            #expect(try await client.response().text == "/c")
        }
    }

    @Test func collectsAChunkedBody() async throws {
        try await withClient(.echo) { client, _ in
            try await client.send("PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            try await client.send("5\r\nhello\r\n")
            try await client.send("6;x=y\r\n there\r\n0\r\nTrailer: t\r\n\r\n")
            #expect(try await client.response().text == "/chello there")
        }
    }

    @Test func collectsABodyOfManyPieces() async throws {
        try await withClient(TestResponder { Response(.ok, body: .bytes($0.body)) }) { client, server in
            let body = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
            try await client.send("PUT /c HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
            try await client.send(body)
            #expect(try await client.response().body == body)
            await server.wait { $0.bufferedBytes == 0 }
        }
    }

    @Test func sendsContinueToAClientThatWaits() async throws {
        try await withClient(.echo) { client, _ in
            try await client.send("PUT /c HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(try await client.response().status == 100)
            try await client.send("ok")
            #expect(try await client.response().text == "/cok")
        }
    }

    @Test func sendsNoContinueToAClientThatDidNotWait() async throws {
        try await withClient(.echo) { client, _ in
            try await client.send("PUT /c HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok")
            #expect(try await client.response().text == "/cok")
        }
    }

    @Test func sendsTheRefusalInsteadOfContinue() async throws {
        let responder = TestResponder(admission: { _ in .refuse(Response(.unauthorized)) }) { _ in .text("no") }
        try await withClient(responder) { client, _ in
            try await client.send("PUT /c HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            let response = try await client.response()
            #expect(response.status == 401)
            #expect(response.fields["connection"] == "close")
            #expect(try await client.bytesToEnd().isEmpty)
        }
    }

    @Test func respondsToHeadWithoutContent() async throws {
        let stream = TestResponder { request in
            request.path == "/s" ? Response(.ok, body: .stream { _ in Issue.record("the stream ran") }) : .text("hello")
        }
        try await withClient(stream) { client, _ in
            try await client.send("HEAD /s HTTP/1.1\r\nHost: a\r\n\r\nHEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response(hasBody: false).fields["transfer-encoding"] == "chunked")
            #expect(try await client.response(hasBody: false).fields["content-length"] == "5")
            try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().text == "hello")
        }
    }

    @Test(arguments: ["HTTP/1.0\r\n\r\n", "HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"])
    func closesAfterTheLastResponse(rest: String) async throws {
        try await withClient(.echo) { client, server in
            try await client.send("GET /a \(rest)GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try #require(ReceivedResponse.parseAll(try await client.bytesToEnd()))
            #expect(response.map(\.text) == ["/a"])
            #expect(response.first?.fields["connection"] == "close")
            await server.wait { $0.openConnections == 1 }
            try await client.close()
            await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func respondsToAPeerThatFinishedSending() async throws {
        let gate = Gate()
        let responder = TestResponder { request in
            await gate.pass()
            return .text(request.path)
        }
        try await withClient(responder) { client, server in
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            try await client.finishSending()
            await gate.waitForArrivals()
            gate.open()
            let responses = try #require(ReceivedResponse.parseAll(try await client.bytesToEnd()))
            #expect(responses.map(\.text) == ["/a", "/b"])
            await server.wait { $0.openConnections == 0 }
        }
    }

    @Test(arguments: [
        "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n", "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel",
        "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
    ])
    func refusesAnIncompleteMessageWhenThePeerFinishes(bytes: String) async throws {
        try await withClient(.echo) { client, server in
            try await client.send(bytes)
            try await client.finishSending()
            let responses = try #require(ReceivedResponse.parseAll(try await client.bytesToEnd()))
            #expect(responses.map(\.status) == [400])
            // The peer has already closed its side, so the server does not linger.
            await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func closesWithoutAResponseWhenThePeerFinishesBetweenMessages() async throws {
        try await withClient(.echo) { client, _ in
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().text == "/a")
            try await client.finishSending()
            #expect(try await client.bytesToEnd().isEmpty)
        }
    }

    @Test func resumesAHandlerOnItsOwnWorkerAfterAWait() async throws {
        let current = Mutex<HTTPServer?>(nil)
        @Sendable func worker() -> Int? { current.withLock { $0?.workers.firstIndex { $0.isCurrent } } }
        let responder = TestResponder { _ in
            let before = worker()
            await Task.yield()
            let afterYield = worker()
            await Task.detached {}.value
            return .text("\(before != nil) \(before == afterYield) \(before == worker())")
        }
        try await withServer(responder) { server in
            current.withLock { $0 = server }
            for _ in 0..<4 {
                let client = try server.connect()
                try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.response().text == "true true true")
            }
            current.withLock { $0 = nil }
        }
    }

    @Test func givesThePeerAddressWithoutItsPort() async throws {
        try await withClient(TestResponder { .text($0.peer) }) { client, _ in
            try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().text == "127.0.0.1")
        }
    }
}
