import Dispatch
import PlacekeeperHTTP
import Synchronization
import Testing

@testable import PlacekeeperSockets

/// Tests of answers that another thread prepares while the worker handles other requests.
@Suite(.timeLimit(.minutes(20)), .everyPoller) struct LateAnswerTests {
    private typealias Receive = @Sendable (@escaping Answer.LateAnswer) -> Void

    /// Keeps the requests for paths that begin with `/late` until the test answers them. A path that ends in `task` gets
    /// its response from a task.
    private final class Kept: Sendable {
        private let waiting = Mutex<[(path: String, receive: Receive)]>([])
        let arrived = Gate()

        var responder: TestResponder {
            var responder = TestResponder { .text("task " + $0.path) }
            responder.first = { request in
                guard request.path.hasPrefix("/late") else { return nil }
                return .later { receive in
                    self.waiting.withLock { $0.append((request.path, receive)) }
                    self.arrived.arrive()
                }
            }
            return responder
        }

        /// Answers all requests that arrived, from another thread.
        func answer() {
            let waiting = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            DispatchQueue.global().async {
                for (path, receive) in waiting {
                    receive {
                        path.hasSuffix("task") ? .handler { .text("task " + path) } : .ready(.text("late " + path))
                    }
                }
            }
        }
    }

    private static func requests(_ paths: [String]) -> String {
        paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
    }

    @Test func answersOtherRequestsMeanwhile() async throws {
        let kept = Kept()
        try await withServer(kept.responder, configure: { $0.workers = 1 }) { server in
            let (late, other) = (try server.connect(), try server.connect())
            try await late.send(Self.requests(["/late"]))
            await kept.arrived.waitForArrivals()
            try await other.send(Self.requests(["/a"]))
            #expect(try await other.response().text == "task /a")
            kept.answer()
            #expect(try await late.response().text == "late /late")
        }
    }

    @Test func answersManyConnectionsThatWaitTogether() async throws {
        let kept = Kept()
        try await withServer(kept.responder, configure: { $0.workers = 2 }) { server in
            let clients = try (0..<20).map { _ in try server.connect() }
            for (number, client) in clients.enumerated() { try await client.send(Self.requests(["/late\(number)"])) }
            await kept.arrived.waitForArrivals(20)
            kept.answer()
            for (number, client) in clients.enumerated() {
                #expect(try await client.response().text == "late /late\(number)")
            }
        }
    }

    @Test func answersPipelinedRequestsInOrder() async throws {
        let kept = Kept()
        try await withClient(kept.responder, configure: { $0.workers = 1 }) { client, _ in
            try await client.send(Self.requests(["/late1", "/a", "/late2", "/late-task", "/b"]))
            for number in 1...3 {
                await kept.arrived.waitForArrivals(number)
                kept.answer()
            }
            for text in ["late /late1", "task /a", "late /late2", "task /late-task", "task /b"] {
                #expect(try await client.response().text == text)
            }
        }
    }

    @Test func forgetsTheResponseOfAPeerThatLeft() async throws {
        let kept = Kept()
        try await withServer(kept.responder, configure: { $0.workers = 1 }) { server in
            for path in ["/late", "/late-task"] {
                let leaver = try server.connect()
                try await leaver.send(Self.requests([path]))
                await kept.arrived.waitForArrivals(path == "/late" ? 1 : 2)
                try await leaver.reset()
                await server.wait { $0.openConnections == 0 }
                // The slot of the connection belongs to another peer now.
                let stayer = try server.connect()
                await server.wait { $0.openConnections == 1 }
                kept.answer()
                try await stayer.send(Self.requests(["/a"]))
                #expect(try await stayer.response().text == "task /a")
                try await stayer.close()
                await server.wait { $0.openConnections == 0 }
            }
        }
    }

    @Test func shutdownWaitsForTheResponse() async throws {
        let kept = Kept()
        try await withServer(kept.responder, configure: { $0.workers = 1 }) { server in
            let (client, idle) = (try server.connect(), try server.connect())
            try await client.send(Self.requests(["/late", "/a"]))
            await kept.arrived.waitForArrivals()
            async let drained: Void = server.drain(within: .hours(60))
            #expect(try await idle.bytesToEnd().isEmpty)
            kept.answer()
            let responses = try #require(ReceivedResponse.parseAll(try await client.bytesToEnd()))
            #expect(responses.map(\.text) == ["late /late"])
            try await client.close()
            await drained
        }
    }
}
