import PlacekeeperHTTP
import Testing

@testable import PlacekeeperSockets

@Suite(.timeLimit(.minutes(20)), .everyPoller) struct ResetTests {
    /// A worker may see a peer's reset and a tick of the clock in one turn. Only one of the two events may close the
    /// connection.
    @Test func deadlineDoesNotAffectAResetConnection() async throws {
        let hold = Hold()
        let responder = TestResponder { request in
            if request.path == "/hold" { hold.pass() }
            // The handler runs within a turn of the worker. The clock advances at the end of this turn.
            if request.path == "/tick" { hold.tick() }
            return .text(request.path)
        }
        try await withServer(responder, configure: { $0.workers = 1 }) { server in
            var halves: [TestClient] = []
            for _ in 0..<8 {
                let half = try server.connect()
                try await half.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTT")
                #expect(try await half.response().text == "/a")
                halves.append(half)
            }
            hold.tick = { server.advanceClockAfterTurn(by: .hours(11)) }
            let (holder, ticker) = (try server.connect(), try server.connect())
            try await ticker.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await ticker.response().text == "/a")
            try await holder.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
            await hold.waitForArrival()
            // The only worker is busy, so it sees all following events in one turn.
            for half in halves { try await half.resetBusyServer() }
            try await ticker.sendToBusyServer("GET /tick HTTP/1.1\r\nHost: a\r\n\r\n")
            hold.open()
            #expect(try await holder.response().text == "/hold")
            #expect(try await ticker.response().text == "/tick")
            await server.wait { $0.openConnections == 2 }
            let after = try server.connect()
            try await after.send("GET /c HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await after.response().text == "/c")
        }
    }

    /// Both sides have finished sending, and more bytes wait than the worker receives at once.
    @Test func closesAPeerThatLeavesBytesBehind() async throws {
        try await withServer(.echo, configure: { $0.workers = 1 }) { server in
            for _ in 0..<20 {
                let client = try server.connect()
                try await client.send("nonsense\r\n\r\n")
                #expect(try await client.bytesToEnd().count > 0)
                try? await client.send([UInt8](repeating: 1, count: 200_000))
                try await client.close()
            }
            await server.wait { $0.openConnections == 0 }
        }
    }

    /// The worker does not handle requests that it received before the connection was closed.
    @Test func ignoresPendingRequestsAfterSendingFailed() async throws {
        let hold = Hold()
        let responder = TestResponder { request in
            if request.path == "/hold" { hold.pass() }
            return .text(request.path)
        }
        let configure = { (configuration: inout HTTPServer.Configuration) in
            configuration.workers = 1
            // Each response is sent separately, so that sending the first response fails.
            configuration.unsentLimit = 1
        }
        try await withClient(responder, configure: configure) { client, server in
            try await client.send(["/hold", "/b", "/c"].map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            await hold.waitForArrival()
            try await client.resetBusyServer()
            hold.open()
            await server.wait { $0.openConnections == 0 }
            let after = try server.connect()
            try await after.send("GET /d HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await after.response().text == "/d")
        }
    }
}
