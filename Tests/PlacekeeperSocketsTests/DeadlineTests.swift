import PlacekeeperHTTP
import Testing

@testable import PlacekeeperSockets

/// Tests of the deadlines for peers. The tests advance the clock instead of waiting: see `forTests`.
@Suite(.timeLimit(.minutes(20)), .everyPoller) struct DeadlineTests {
    /// Only this test lets real time pass. The other tests advance the clock.
    @Test func closesIdleConnectionsAsRealTimePasses() async throws {
        try await withClient(.echo, configure: { $0.deadlines.idle = .milliseconds(1) }) { client, _ in
            let bytes = try await client.bytesToEnd()
            #expect(bytes.isEmpty)
        }
    }

    @Test func refusesAHeadAfterItsDeadline() async throws {
        try await withClient(.echo) { client, server in
            // When the first response arrives, the server has also received the first part of the second request, so
            // the deadline of its head runs.
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTT")
            #expect(try await client.response().text == "/a")
            await server.advanceClock(by: .hours(8))
            #expect(try await !client.isReadable(milliseconds: 20))
            try await server.advanceClock(by: .hours(3), untilReadable: client)
            let response = try await client.response()
            #expect(response.status == 408)
            #expect(response.text == "head-timeout")
            #expect(response.fields["connection"] == "close")
            #expect(try await client.bytesToEnd().isEmpty)
        }
    }

    @Test func doesNotExtendTheHeadDeadlineWhenBytesArrive() async throws {
        try await withClient(.echo) { client, server in
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTT")
            #expect(try await client.response().text == "/a")
            await server.advanceClock(by: .hours(8))
            try await client.send("P/1.1\r\nHost: a\r\n")
            try await server.advanceClock(by: .hours(3), untilReadable: client)
            #expect(try await client.response().status == 408)
        }
    }

    @Test func restartsTheHeadDeadlineForEachMessage() async throws {
        try await withClient(.echo) { client, server in
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTT")
            #expect(try await client.response().text == "/a")
            await server.advanceClock(by: .hours(8))
            try await client.send("P/1.1\r\nHost: a\r\n\r\nGET /c HTT")
            #expect(try await client.response().text == "/b")
            await server.advanceClock(by: .hours(8))
            try await client.send("P/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().text == "/c")
        }
    }

    @Test func refusesABodyThatStopsArriving() async throws {
        try await withClient(.echo) { client, server in
            try await client.send("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1234")
            await server.wait { $0.bufferedBytes == 4 }
            await server.advanceClock(by: .hours(28))
            try await client.send("5678")
            await server.wait { $0.bufferedBytes == 8 }
            await server.advanceClock(by: .hours(28))
            #expect(try await !client.isReadable(milliseconds: 20))
            await server.advanceClock(by: .hours(3))
            let response = try await client.response()
            #expect(response.status == 408)
            #expect(response.text == "body-timeout")
            await server.wait { $0.bufferedBytes == 0 }
        }
    }

    @Test func refusesABodyThatArrivesTooSlowly() async throws {
        try await withClient(.echo) { client, server in
            try await client.send("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1")
            await server.wait { $0.bufferedBytes == 1 }
            for count in 2...3 {
                await server.advanceClock(by: .hours(28))
                try await client.send("\(count)")
                await server.wait { $0.bufferedBytes == count }
            }
            #expect(try await !client.isReadable(milliseconds: 20))
            // The deadline since the last byte has not passed, so the response shows the deadline of the whole body.
            await server.advanceClock(by: .hours(5))
            let response = try await client.response()
            #expect(response.status == 408)
            #expect(response.text == "body-timeout")
            await server.wait { $0.bufferedBytes == 0 }
        }
    }

    @Test func restartsTheBodyDeadlineForEachMessage() async throws {
        try await withClient(.echo) { client, server in
            for _ in 1...3 {
                try await client.send("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1")
                await server.wait { $0.bufferedBytes == 1 }
                await server.advanceClock(by: .hours(28))
                try await client.send("2")
                #expect(try await client.response().text == "/a12")
            }
        }
    }

    @Test func closesAnIdleConnectionWithoutAResponse() async throws {
        try await withClient(.echo) { client, server in
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().text == "/a")
            await server.advanceClock(by: .hours(73))
            #expect(try await !client.isReadable(milliseconds: 20))
            await server.advanceClock(by: .hours(3))
            #expect(try await client.bytesToEnd().isEmpty)
            await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func hasNoDeadlineForAHandler() async throws {
        let gate = Gate()
        let responder = TestResponder { _ in
            await gate.pass()
            return .text("late")
        }
        try await withClient(responder) { client, server in
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            await gate.waitForArrivals()
            await server.advanceClock(by: .hours(1000))
            gate.open()
            #expect(try await client.response().text == "late")
        }
    }

    @Test func closesWhenAPeerReceivesNothingOfItsResponse() async throws {
        let body = [UInt8](repeating: 1, count: 16 << 20)
        try await withServer(TestResponder { _ in Response(.ok, body: .bytes(body)) }) { server in
            let client = try server.connect(receiveBuffer: 4096)
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await client.peek(1)
            while server.statistics.openConnections > 0 {
                await server.advanceClock(by: .hours(31))
                await Task.yield()
            }
            #expect(try await client.bytesToEnd().count < body.count)
        }
    }

    @Test func closesWhenAPeerReceivesItsResponseTooSlowly() async throws {
        let body = [UInt8](repeating: 1, count: 16 << 20)
        try await withServer(TestResponder { _ in Response(.ok, body: .bytes(body)) }) { server in
            let client = try server.connect(receiveBuffer: 4096)
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            await server.wait { $0.bufferedBytes > 0 }
            for _ in 1...3 {
                let held = server.statistics.bufferedBytes
                #expect(server.statistics.openConnections == 1)
                var count = 0
                while server.statistics.bufferedBytes == held { count = try await client.peek(count + 1).count }
                // The deadline since the peer last received bytes does not pass, so only the deadline of the whole
                // response closes the connection.
                await server.advanceClock(by: .hours(25))
            }
            try #require(server.statistics.openConnections == 0)
            #expect(server.statistics.bufferedBytes == 0)
            #expect(try await client.bytesToEnd().count < body.count)
        }
    }

    @Test func closesAtTheLingerDeadline() async throws {
        try await withClient(.echo) { client, server in
            try await client.send("nonsense\r\n\r\n")
            #expect(try await client.response().status == 400)
            #expect(try await client.bytesToEnd().isEmpty)
            #expect(server.statistics.openConnections == 1)
            await server.advanceClock(by: .hours(3))
            await server.wait { $0.openConnections == 0 }
        }
    }
}
