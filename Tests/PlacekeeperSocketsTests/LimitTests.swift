import PlacekeeperHTTP
import Synchronization
import Testing

@testable import PlacekeeperSockets

/// Tests of the limits for each peer and for all peers together.
@Suite(.timeLimit(.minutes(20)), .everyPoller) struct LimitTests {
    private static let small = TestResponder(admission: { _ in .accept(bodyLimit: 10) }) { .text("\($0.body.count)") }

    @Test func acceptsABodyOfExactlyTheLimit() async throws {
        try await withClient(Self.small) { client, _ in
            try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789")
            #expect(try await client.response().text == "10")
            try await client.send(
                "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n")
            #expect(try await client.response().text == "10")
        }
    }

    @Test func refusesALengthOverTheLimitBeforeAnyContent() async throws {
        try await withClient(Self.small) { client, server in
            try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n")
            let response = try await client.response()
            #expect(response.status == 413)
            #expect(response.fields["connection"] == "close")
            #expect(server.statistics.bufferedBytes == 0)
        }
    }

    @Test func refusesChunksAtTheFirstByteOverTheLimit() async throws {
        try await withClient(Self.small) { client, server in
            try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n0123456789")
            #expect(try await !client.isReadable(milliseconds: 10))
            try await client.send("x")
            #expect(try await client.response().status == 413)
            await server.wait { $0.bufferedBytes == 0 }
        }
    }

    @Test func clientCanReadARefusalWhileItIsStillSending() async throws {
        try await withClient(Self.small) { client, server in
            try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n")
            // Without lingering, the connection would be reset and the response lost.
            try await client.send([UInt8](repeating: 1, count: 8_000_000))
            try await client.finishSending()
            let responses = try #require(ReceivedResponse.parseAll(try await client.bytesToEnd()))
            #expect(responses.map(\.status) == [413])
            await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func refusesBodiesOverTheSharedLimit() async throws {
        try await withServer(.echo, configure: { $0.bufferLimit = 100 }) { server in
            let first = try server.connect()
            try await first.send(
                "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 91\r\n\r\n" + String(repeating: "a", count: 90))
            await server.wait { $0.bufferedBytes == 90 }
            let second = try server.connect()
            try await second.send(
                "PUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n" + String(repeating: "b", count: 20))
            #expect(try await second.response().status == 503)
            try await first.send("!")
            #expect(try await first.response().text.hasSuffix("a!"))
            await server.wait { $0.bufferedBytes == 0 }
            let third = try server.connect()
            try await third.send(
                "PUT /c HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n" + String(repeating: "c", count: 100))
            #expect(try await third.response().status == 200)
        }
    }

    @Test func leavesRoomForSmallBodiesBesideLargeOnes() async throws {
        try await withServer(.echo, configure: { $0.bufferLimit = 400_000 }) { server in
            let large = try server.connect()
            try await large.send(
                "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 350000\r\n\r\n" + String(repeating: "a", count: 290_000))
            await server.wait { $0.bufferedBytes == 290_000 }
            let small = try server.connect()
            try await small.send(
                "PUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" + String(repeating: "b", count: 60_000))
            #expect(try await small.response().status == 200)
            try await large.send(String(repeating: "a", count: 60_000))
            let refusal = try await large.response()
            #expect(refusal.status == 503)
            await server.wait { $0.bufferedBytes == 0 }
        }
    }

    @Test func countsPendingBytesBehindAnEarlierResponse() async throws {
        let gate = Gate()
        let responder = TestResponder { request in
            if request.path == "/1" { await gate.pass() }
            return .text(request.path)
        }
        try await withClient(responder) { client, server in
            let waiting = "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n"
            try await client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n" + waiting)
            await gate.waitForArrivals()
            await server.wait { $0.bufferedBytes == waiting.utf8.count }
            gate.open()
            for path in ["/1", "/2"] { #expect(try await client.response().text == path) }
            await server.wait { $0.bufferedBytes == 0 }
        }
    }

    @Test func closesASlowPeerWhenItsResponseExceedsTheSharedLimit() async throws {
        let body = [UInt8](repeating: 1, count: 16 << 20)
        let responder = TestResponder { $0.path == "/large" ? Response(.ok, body: .bytes(body)) : .text("small") }
        try await withServer(responder, configure: { $0.bufferLimit = 1 << 20 }) { server in
            let slow = try server.connect(receiveBuffer: 4096)
            try await slow.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            await server.wait { $0.requests == 1 && $0.openConnections == 0 }
            #expect(server.statistics.bufferedBytes == 0)
            let other = try server.connect()
            try await other.send("GET /small HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await other.response().text == "small")
        }
    }

    @Test func releasesTheBytesOfALostConnection() async throws {
        try await withClient(.echo) { client, server in
            try await client.send("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 91\r\n\r\nabc")
            await server.wait { $0.bufferedBytes == 3 }
            try await client.reset()
            await server.wait { $0.openConnections == 0 && $0.bufferedBytes == 0 }
        }
    }

    @Test func pausesAcceptingAtTheConnectionLimitAndResumesBelowIt() async throws {
        try await withServer(.echo, configure: { $0.connectionLimit = 2 }) { server in
            var clients: [TestClient] = []
            for _ in 0..<4 { clients.append(try server.connect()) }
            for client in clients { try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n") }
            #expect(try await clients[0].response().text == "/a")
            #expect(try await clients[1].response().text == "/a")
            #expect(server.statistics.acceptedConnections == 2)
            try await clients[0].close()
            #expect(try await clients[2].response().text == "/a")
            #expect(server.statistics.openConnections == 2)
            try await clients[1].close()
            #expect(try await clients[3].response().text == "/a")
        }
    }

    @Test func pausesAcceptingWithoutDescriptorsAndResumesWhenAConnectionCloses() async throws {
        let isExhausted = Mutex(false)
        let refusals = Gate()
        let kernel = Kernel { listener in
            guard isExhausted.withLock({ $0 }) else { return System.accept(listener) }
            refusals.arrive()
            return .exhausted
        }
        try await withServer(.echo, kernel: kernel) { server in
            let first = try server.connect()
            try await first.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await first.response().text == "/1")
            isExhausted.withLock { $0 = true }
            let second = try server.connect()
            try await second.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
            await refusals.waitForArrivals()
            #expect(try await !second.isReadable(milliseconds: 50))
            // The server retries to accept once a second. A busy loop would retry thousands of times.
            #expect(refusals.arrivals < 100)
            isExhausted.withLock { $0 = false }
            try await first.close()
            #expect(try await second.response().text == "/2")
        }
    }

    @Test func reportsAnAddressInUse() async throws {
        try await withServer(.echo) { server in
            var configuration = HTTPServer.Configuration()
            configuration.address = server.address
            let error = #expect(throws: TransportError.self) {
                try HTTPServer(configuration: configuration, responder: TestResponder.echo)
            }
            #expect(error?.code == .addressInUse)
            #expect(error?.message.contains(server.address.description) == true)
        }
    }
}
