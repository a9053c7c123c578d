import HTTPCodec
import Testing

@testable import HTTPTransport

/// How long a peer may take. The clock is moved, never waited for: see `forTests`.
@Suite(.timeLimit(.minutes(20))) struct DeadlineTests {
    /// All other tests move the clock on themselves.
    @Test func theClockRunsByItself() async throws {
        try await withServer(.echo, configure: { $0.deadlines.idle = .milliseconds(1) }) { server in
            let client = try server.connect()
            #expect(try await client.bytesToEnd().isEmpty)
        }
    }

    @Test func refusesAHeadThatTakesTooLong() async throws {
        try await withServer(.echo) { server in
            let client = try server.connect()
            // Once the first is answered, the half of the second is there as well.
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTT")
            #expect(try await client.response().text == "/a")
            await server.advanceClock(by: .hours(8))
            #expect(try await !client.isReadable(milliseconds: 20))
            await server.advanceClock(by: .hours(3))
            let response = try await client.response()
            #expect(response.status == 408)
            #expect(response.text == "head-timeout")
            #expect(response.fields["connection"] == "close")
            #expect(try await client.bytesToEnd().isEmpty)
        }
    }

    @Test func countsAHeadsTimeFromItsFirstByteHoweverManyFollow() async throws {
        try await withServer(.echo) { server in
            let client = try server.connect()
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTT")
            #expect(try await client.response().text == "/a")
            await server.advanceClock(by: .hours(8))
            try await client.send("P/1.1\r\nHost: a\r\n")
            try await server.advanceClock(by: .hours(3), untilReadable: client)
            #expect(try await client.response().status == 408)
        }
    }

    @Test func countsAHeadsTimeAnewForEachMessage() async throws {
        try await withServer(.echo) { server in
            let client = try server.connect()
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

    @Test func refusesABodyThatStopsComing() async throws {
        try await withServer(.echo) { server in
            let client = try server.connect()
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

    @Test func refusesABodyThatDripsOnForTooLong() async throws {
        try await withServer(.echo) { server in
            let client = try server.connect()
            try await client.send("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1")
            await server.wait { $0.bufferedBytes == 1 }
            for count in 2...3 {
                await server.advanceClock(by: .hours(28))
                try await client.send("\(count)")
                await server.wait { $0.bufferedBytes == count }
            }
            #expect(try await !client.isReadable(milliseconds: 20))
            // Of the time since the last byte little has passed.
            await server.advanceClock(by: .hours(5))
            let response = try await client.response()
            #expect(response.status == 408)
            #expect(response.text == "body-timeout")
            await server.wait { $0.bufferedBytes == 0 }
        }
    }

    @Test func countsABodysTimeAnewForEachMessage() async throws {
        try await withServer(.echo) { server in
            let client = try server.connect()
            for _ in 1...3 {
                try await client.send("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1")
                await server.wait { $0.bufferedBytes == 1 }
                await server.advanceClock(by: .hours(28))
                try await client.send("2")
                #expect(try await client.response().text == "/a12")
            }
        }
    }

    @Test func closesAnIdleConnectionWithoutAWord() async throws {
        try await withServer(.echo) { server in
            let client = try server.connect()
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().text == "/a")
            await server.advanceClock(by: .hours(73))
            #expect(try await !client.isReadable(milliseconds: 20))
            await server.advanceClock(by: .hours(3))
            #expect(try await client.bytesToEnd().isEmpty)
            await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func leavesAHandlerItsTime() async throws {
        let gate = Gate()
        let responder = TestResponder { _ in
            await gate.pass()
            return .text("late")
        }
        try await withServer(responder) { server in
            let client = try server.connect()
            try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            await gate.waitForArrivals()
            await server.advanceClock(by: .hours(1000))
            gate.open()
            #expect(try await client.response().text == "late")
        }
    }

    @Test func closesWhenAPeerTakesNothingOfItsAnswer() async throws {
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

    @Test func closesWhenAPeerTakesItsAnswerInDripsForTooLong() async throws {
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
                // Of the time since it last took something little has passed.
                await server.advanceClock(by: .hours(25))
            }
            try #require(server.statistics.openConnections == 0)
            #expect(server.statistics.bufferedBytes == 0)
            #expect(try await client.bytesToEnd().count < body.count)
        }
    }

    @Test func lingersNoLongerThanItShould() async throws {
        try await withServer(.echo) { server in
            let client = try server.connect()
            try await client.send("nonsense\r\n\r\n")
            #expect(try await client.response().status == 400)
            #expect(try await client.bytesToEnd().isEmpty)
            #expect(server.statistics.openConnections == 1)
            await server.advanceClock(by: .hours(3))
            await server.wait { $0.openConnections == 0 }
        }
    }
}
