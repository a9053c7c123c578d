import PlacekeeperHTTP
import Synchronization
import Testing

@testable import PlacekeeperSockets

/// Tests of the order in which a worker serves the requests of several connections. The poller for development reports one
/// event at a time, so it has no such order.
@Suite(.timeLimit(.minutes(20)), .enabled(if: PollerKind.fastest != .dispatch)) struct TurnTests {
    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
        func set() { value.store(true, ordering: .sequentiallyConsistent) }
    }

    @Test func answersFromMemoryBeforeTheHandlersOfOtherRequests() async throws {
        let (hold, answered) = (Hold(), Flag())
        var responder = TestResponder { request in
            if request.path == "/hold" { hold.pass() }
            return .text("\(answered.isSet)")
        }
        responder.first = { request in
            guard request.path == "/now" else { return nil }
            answered.set()
            return .ready(.text("now"))
        }
        try await withServer(responder, configure: { $0.workers = 1 }) { server in
            let clients = try await BatchTests.send(["/work", "/work", "/now"], while: hold, on: server)
            for (client, text) in zip(clients, ["true", "true", "now"]) {
                #expect(try await client.response().text == text)
            }
        }
    }

    /// The first handler takes longer than a turn of the worker, and the request that is answered from memory arrives
    /// only then.
    @Test func answersFromMemoryBetweenTwoHandlers() async throws {
        let (hold, slow, answered) = (Hold(), Hold(), Flag())
        var responder = TestResponder { request in
            switch request.path {
            case "/hold": hold.pass()
            case "/slow": slow.pass()
            default: break
            }
            return .text("\(answered.isSet)")
        }
        responder.first = { request in
            guard request.path == "/now" else { return nil }
            answered.set()
            return .ready(.text("now"))
        }
        try await withServer(responder, configure: { $0.workers = 1 }) { server in
            let other = try server.connect()
            await server.wait { $0.openConnections == 1 }
            let clients = try await BatchTests.send(["/slow", "/work"], while: hold, on: server, connected: 1)
            await slow.waitForArrival()
            let arrival = ContinuousClock.now
            try await other.sendToBusyServer("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            while ContinuousClock.now < arrival + .milliseconds(2) { await Task.yield() }
            slow.open()
            for (client, text) in zip(clients + [other], ["false", "true", "now"]) {
                #expect(try await client.response().text == text)
            }
        }
    }

    /// The request waits for its handler behind another handler. Nothing of it remains, so the server can shut down.
    @Test func callsNoHandlerForAPeerThatLeft() async throws {
        let (hold, slow, called) = (Hold(), Hold(), Flag())
        let responder = TestResponder { request in
            switch request.path {
            case "/hold": hold.pass()
            case "/slow": slow.pass()
            case "/left": called.set()
            default: break
            }
            return .text(request.path)
        }
        try await withServer(responder, configure: { $0.workers = 1 }) { server in
            let leaver = try server.connect()
            await server.wait { $0.openConnections == 1 }
            let clients = try await BatchTests.send(["/slow"], while: hold, on: server, connected: 1) {
                try await leaver.sendToBusyServer("PUT /left HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody")
            }
            await slow.waitForArrival()
            let arrival = ContinuousClock.now
            try await leaver.resetBusyServer()
            while ContinuousClock.now < arrival + .milliseconds(2) { await Task.yield() }
            slow.open()
            #expect(try await clients[0].response().text == "/slow")
            await server.wait { $0.bufferedBytes == 0 }
            #expect(!called.isSet)
        }
    }
}
