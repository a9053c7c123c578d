import PlacekeeperHTTP
import Testing

@testable import PlacekeeperSockets

/// Tests of the graceful shutdown of a server.
@Suite(.timeLimit(.minutes(20)), .everyPoller) struct DrainTests {
    @Test func closesIdleConnectionsAndAcceptsNoMore() async throws {
        try await withClient(.echo) { client, server in
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().text == "/a")
            await server.drain(within: .hours(60))
            #expect(server.statistics.openConnections == 0)
            #expect(try await client.bytesToEnd().isEmpty)
            #expect(throws: TestClient.Failure.self) { try server.connect() }
        }
    }

    @Test func finishesTheCurrentRequestAndSendsConnectionClose() async throws {
        let gate = Gate()
        let responder = TestResponder { request in
            await gate.pass()
            return .text(request.path)
        }
        // Both connections have the same worker: the end of the idle one shows that the other one is also draining.
        try await withClient(responder, configure: { $0.workers = 1 }) { client, server in
            let idle = try server.connect()
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            await gate.waitForArrivals()
            async let drained: Void = server.drain(within: .hours(60))
            #expect(try await idle.bytesToEnd().isEmpty)
            gate.open()
            let responses = try #require(ReceivedResponse.parseAll(try await client.bytesToEnd()))
            #expect(responses.map(\.text) == ["/a"])
            #expect(responses.first?.fields["connection"] == "close")
            try await client.close()
            await drained
        }
    }

    @Test func endsStreams() async throws {
        let gate = Gate()
        let responder = TestResponder.stream { writer in
            try await writer.write([1])
            gate.arrive()
            try? await Task.sleep(for: .seconds(3600))
            await #expect(throws: ConnectionLost.self) { try await writer.write([2]) }
        }
        try await withClient(responder) { client, server in
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            await gate.waitForArrivals()
            async let drained: Void = server.drain(within: .hours(60))
            // The stream ended properly: the last chunk arrived.
            #expect(try await client.response().body == [1])
            #expect(try await client.bytesToEnd().isEmpty)
            try await client.close()
            await drained
        }
    }

    @Test func endsStreamsThatWaitForTheirPeer() async throws {
        let ended = Gate()
        let responder = TestResponder.stream { writer in
            await #expect(throws: ConnectionLost.self) {
                while true { try await writer.write([UInt8](repeating: 7, count: 1 << 20)) }
            }
            ended.arrive()
        }
        try await withClient(responder) { client, server in
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            await server.wait { $0.bufferedBytes > 0 }
            async let drained: Void = server.drain(within: .hours(60))
            await ended.waitForArrivals()
            #expect(try await client.bytesToEnd().count > 1 << 20)
            try await client.close()
            await drained
        }
    }

    @Test func cancelsAStreamThatBeginsWhileItDrains() async throws {
        let gate = Gate()
        let responder = TestResponder { _ in
            await gate.pass()
            return Response(.ok, body: .stream { _ in try? await Task.sleep(for: .seconds(3600)) })
        }
        // Both connections have the same worker: the end of the idle one shows that the other one is also draining.
        try await withClient(responder, configure: { $0.workers = 1 }) { client, server in
            let idle = try server.connect()
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            await gate.waitForArrivals()
            async let drained: Void = server.drain(within: .hours(60))
            #expect(try await idle.bytesToEnd().isEmpty)
            gate.open()
            #expect(try await client.response().body.isEmpty)
            #expect(try await client.bytesToEnd().isEmpty)
            try await client.close()
            await drained
        }
    }

    @Test func closesRemainingConnectionsAtTheDeadline() async throws {
        let started = Gate()
        let cancelled = Gate()
        let responder = TestResponder { _ in
            started.arrive()
            try? await Task.sleep(for: .seconds(3600))
            cancelled.arrive()
            return .text("too late")
        }
        try await withClient(responder, configure: { $0.deadlines.body = .hours(10_000) }) { client, server in
            let half = try server.connect()
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            try await half.send("PUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel")
            await started.waitForArrivals()
            await server.wait { $0.bufferedBytes == 3 }
            async let drained: Void = server.drain(within: .hours(20))
            try await server.advanceClock(by: .hours(21), untilReadable: client)
            #expect(try await client.bytesToEnd().isEmpty)
            #expect(try await half.bytesToEnd().isEmpty)
            await drained
            await cancelled.waitForArrivals()
            #expect(server.statistics.openConnections == 0)
        }
    }

    @Test func drainsAServerThatWasNotStarted() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.address = SocketAddress(host: "127.0.0.1", port: 0)
        let server = try HTTPServer(configuration: configuration, responder: TestResponder.echo)
        await server.drain(within: .seconds(1))
        #expect(server.statistics.openConnections == 0)
    }
}
