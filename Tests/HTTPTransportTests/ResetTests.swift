import Dispatch
import HTTPCodec
import Synchronization
import Testing

@testable import HTTPTransport

@Suite(.timeLimit(.minutes(2))) struct ResetTests {
    /// The peer's reset and the clock's tick may come to a worker at once.
    @Test func aConnectionThatWasResetIsLeftAloneByTheClock() async throws {
        let hold = Hold()
        let responder = TestResponder { request in
            if request.path == "/hold" { hold.pass() }
            // A handler runs within the worker's turn: the clock moves at that turn's end.
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
            hold.tick = { server.advanceClock(by: .hours(11)) }
            let (holder, ticker) = (try server.connect(), try server.connect())
            try await ticker.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await ticker.response().text == "/a")
            try await holder.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
            await hold.waitForArrival()
            // The only worker is busy: what comes now it sees in one turn.
            for half in halves { try await half.reset() }
            try await ticker.send("GET /tick HTTP/1.1\r\nHost: a\r\n\r\n")
            hold.open()
            #expect(try await holder.response().text == "/hold")
            #expect(try await ticker.response().text == "/tick")
            await server.wait { $0.openConnections == 2 }
            let after = try server.connect()
            try await after.send("GET /c HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await after.response().text == "/c")
        }
    }
}

/// Blocks a worker's thread until it is opened.
private final class Hold: Sendable {
    private let arrived = Gate()
    private let opened = DispatchSemaphore(value: 0)
    private let onTick = Mutex<@Sendable () -> Void>({})

    var tick: @Sendable () -> Void {
        get { onTick.withLock { $0 } }
        set { onTick.withLock { $0 = newValue } }
    }

    func pass() {
        arrived.arrive()
        opened.wait()
    }

    func waitForArrival() async { await arrived.waitForArrivals() }
    func open() { opened.signal() }
}
