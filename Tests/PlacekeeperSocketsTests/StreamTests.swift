import Dispatch
import PlacekeeperHTTP
import Synchronization
import Testing

@testable import PlacekeeperSockets

/// Tests of streamed responses, and of peers that receive slowly or not at all.
@Suite(.timeLimit(.minutes(20)), .everyPoller) struct StreamTests {
    @Test func sendsEachPieceAtOnce() async throws {
        let gate = Gate()
        let responder = TestResponder.stream { writer in
            try await writer.write(Array("one".utf8))
            await gate.pass()
            try await writer.write([])
            try await writer.write(Array("two".utf8))
        }
        try await withClient(responder) { client, _ in
            try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            await gate.waitForArrivals()
            let begun = String(decoding: try await client.peek(1), as: UTF8.self)
            #expect(begun.hasSuffix("3\r\none\r\n"))
            gate.open()
            #expect(try await client.response().text == "onetwo")
            // The connection still works after the stream.
            #expect(try await client.response().text == "onetwo")
        }
    }

    @Test func endsAStreamToAnHTTP10ClientByClosing() async throws {
        let responder = TestResponder { _ in Response(.ok, body: .stream { try await $0.write(Array("old".utf8)) }) }
        try await withClient(responder) { client, _ in
            try await client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let text = String(decoding: try await client.bytesToEnd(), as: UTF8.self)
            #expect(text.hasSuffix("Connection: close\r\n\r\nold"))
        }
    }

    @Test func omitsTheLastChunkWhenTheHandlerThrows() async throws {
        let responder = TestResponder.stream { writer in
            try await writer.write(Array("half".utf8))
            throw CancellationError()
        }
        try await withClient(responder) { client, _ in
            try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let text = String(decoding: try await client.bytesToEnd(), as: UTF8.self)
            #expect(text.hasSuffix("4\r\nhalf\r\n"))
        }
    }

    @Test func writesFromADetachedTask() async throws {
        let responder = TestResponder.stream { writer in
            try await Task.detached { try await writer.write(Array("detached".utf8)) }.value
        }
        try await withClient(responder) { client, _ in
            try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().text == "detached")
        }
    }

    @Test func writesFromAnActorWithItsOwnExecutor() async throws {
        let producer = Producer()
        try await withClient(TestResponder { _ in Response(.ok, body: .stream(producer.produce)) }) { client, _ in
            try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().text == "from elsewhere")
        }
    }

    @Test(arguments: [true, false])
    func cancelsTheHandlerWhenThePeerIsGone(resets: Bool) async throws {
        let started = Gate()
        let cancelled = Gate()
        let responder = TestResponder.stream { writer in
            try await writer.write([1])
            started.arrive()
            try? await Task.sleep(for: .seconds(3600))
            #expect(Task.isCancelled)
            await #expect(throws: ConnectionLost.self) { try await writer.write([2]) }
            cancelled.arrive()
        }
        try await withClient(responder) { client, server in
            try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            await started.waitForArrivals()
            if resets { try await client.reset() } else { try await client.close() }
            await cancelled.waitForArrivals()
            await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func cancelsAHandlerThatHasNotRespondedWhenThePeerResets() async throws {
        let started = Gate()
        let cancelled = Gate()
        let responder = TestResponder { _ in
            started.arrive()
            try? await Task.sleep(for: .seconds(3600))
            cancelled.arrive()
            return .text("too late")
        }
        try await withClient(responder) { client, _ in
            try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            await started.waitForArrivals()
            try await client.reset()
            await cancelled.waitForArrivals()
        }
    }

    @Test func suspendsAWriterWhileThePeerIsSlow() async throws {
        let written = Mutex(0)
        let piece = [UInt8](repeating: 7, count: 64 * 1024)
        let pieces = 512
        let responder = TestResponder.stream { writer in
            for _ in 0..<pieces {
                try await writer.write(piece)
                written.withLock { $0 += 1 }
            }
        }
        try await withServer(responder) { server in
            let client = try server.connect(receiveBuffer: 4096)
            try await client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            _ = try await client.peek(1)
            // The kernel's buffers hold a part of the content, but not all of it.
            #expect(written.withLock { $0 } < pieces)
            let responses = try #require(ReceivedResponse.parseAll(try await client.bytesToEnd()))
            #expect(responses.map(\.body.count) == [pieces * piece.count])
            #expect(written.withLock { $0 } == pieces)
        }
    }

    @Test(arguments: [30_000, 40_000, 8_000_000])
    func sendsALargeResponseCompletelyToASlowPeer(count: Int) async throws {
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        try await withServer(TestResponder { _ in Response(.ok, body: .bytes(body)) }) { server in
            let client = try server.connect(receiveBuffer: 4096)
            let requests = count > 100_000 ? 2 : 20
            try await client.send(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: requests))
            for _ in 0..<requests { #expect(try await client.response().body == body) }
            await server.wait { $0.bufferedBytes == 0 }
        }
    }
}

/// An actor that always runs on its own queue, despite a task's executor preference.
private actor Producer {
    private final class Queue: SerialExecutor {
        private let queue = DispatchQueue(label: "producer")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private let queue = Queue()
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func produce(_ writer: any BodyWriter) async throws {
        for text in ["from ", "else", "where"] { try await writer.write(Array(text.utf8)) }
    }
}
