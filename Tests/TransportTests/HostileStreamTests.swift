import PlacekeeperConcurrency
import PlacekeeperClient
import Testing

/// What the transports that use the network do with a hostile or broken stream of events.
@Suite struct HostileStreamTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    private static let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"

    private static func chunk(_ text: String) -> String { String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n" }

    /// Sends events until the client closes the connection.
    @Sendable private static func sendEndlessly(_ peer: Peer) {
        peer.receiveRequest()
        peer.send(chunked)
        while peer.send(chunk(String(repeating: "data: a\n\n", count: 1000))) {}
    }

    @Test(
        arguments: NetworkTransport.allCases,
        [chunked + chunk("a\n\n") + chunk("b\n\n") + "0\r\n\r\n", head + "\r\na\n\nb\n\n"])
    func passesAllPiecesOnUntilTheEndOfTheBody(_ kind: NetworkTransport, text: String) async throws {
        try await withServer { peer in
            peer.receiveRequest()
            peer.send(text)
        } _: { server in
            let received = LockBox<[UInt8]>([])
            let error = try await kind.transport(to: server.port).streamError { bytes in
                received.withLock { $0 += bytes }
                return true
            }
            #expect(error == nil)
            #expect(received.withLock { $0 } == Array("a\n\nb\n\n".utf8))
        }
    }

    @Test(arguments: NetworkTransport.allCases, [chunked + chunk("a\n\n"), chunked + "f\r\nab", ""])
    func throwsUnreachableIfTheConnectionIsLost(_ kind: NetworkTransport, text: String) async throws {
        try await withServer { peer in
            peer.receiveRequest()
            peer.send(text)
        } _: { server in
            let transport = try kind.transport(to: server.port)
            #expect(await transport.streamError()?.isUnreachable == true)
        }
    }

    @Test(arguments: NetworkTransport.allCases)
    func closesEndlessStreamThatTheReceiverEnds(_ kind: NetworkTransport) async throws {
        try await withServer(Self.sendEndlessly) { server in
            let transport = try kind.transport(to: server.port)
            let received = LockBox(0)
            let error = await transport.streamError { bytes in
                received.withLock { received in
                    received += bytes.count
                    return received < 1 << 20
                }
            }
            #expect(error == nil)
            #expect(received.withLock { $0 } < 2 << 20)
            await server.wait { $0.openCount == 0 }
        }
    }

    @Test(arguments: NetworkTransport.allCases, [chunked, chunked + chunk("a\n\n")])
    func endsStreamThatPausesLongerThanTheIdleLimit(_ kind: NetworkTransport, text: String) async throws {
        try await withServer { peer in
            peer.receiveRequest()
            peer.send(text)
            peer.waitForEnd()
        } _: { server in
            let transport = try kind.transport(to: server.port)
            #expect(await transport.streamError(of: .sample(deadline: 0.3), idleLimit: 0.1) == .timedOut)
            await server.wait { $0.openCount == 0 }
        }
    }

    @Test(arguments: NetworkTransport.allCases)
    func continuesStreamAfterTheDeadlineOfItsHead(_ kind: NetworkTransport) async throws {
        try await withServer { peer in
            peer.receiveRequest()
            peer.send(Self.chunked)
            // A pause without an event of the client: the stream outlives the deadline of its head.
            for _ in 0..<20 where peer.pause(milliseconds: 20) { peer.send(Self.chunk("a\n\n")) }
            peer.send("0\r\n\r\n")
        } _: { server in
            let transport = try kind.transport(to: server.port)
            let count = LockBox(0)
            let error = await transport.streamError(of: .sample(deadline: 0.1), idleLimit: 600) { bytes in
                count.withLock { $0 += bytes.count }
                return true
            }
            // A slow machine may not receive the head before the deadline.
            if error != .timedOut {
                #expect(error == nil)
                #expect(count.withLock { $0 } == 60)
            }
        }
    }

    @Test(arguments: NetworkTransport.allCases, ["", "HTTP/1.1 200 OK\r\nA: "])
    func endsStreamWithoutHeadAtTheDeadline(_ kind: NetworkTransport, text: String) async throws {
        try await withServer { peer in
            peer.receiveRequest()
            peer.send(text)
            while peer.pause(milliseconds: 5), text.isEmpty || peer.send("a") {}
        } _: { server in
            let transport = try kind.transport(to: server.port)
            #expect(await transport.streamError(of: .sample(deadline: 0.2)) == .timedOut)
            await server.wait { $0.openCount == 0 }
        }
    }

    // MARK: - Cancellation

    /// The moments at which a test cancels.
    enum ClockReading: String, Sendable, CaseIterable {
        case atOnce, afterConnection, afterRequest, afterFirstPiece
    }

    /// Sends an event every millisecond until the client closes the connection.
    @Sendable private static func sendSteadily(_ peer: Peer) {
        peer.receiveRequest()
        peer.send(chunked)
        while peer.pause(milliseconds: 1), peer.send(chunk("data: a\n\n")) {}
    }

    @Test(arguments: NetworkTransport.allCases, ClockReading.allCases)
    func closesTheConnectionOfCanceledStream(_ kind: NetworkTransport, _ moment: ClockReading) async throws {
        try await withServer(Self.sendSteadily) { server in
            let transport = try kind.transport(to: server.port)
            for round in 1...20 {
                let pieces = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
                let stream = Task {
                    await transport.streamError { _ in
                        pieces.continuation.yield()
                        return true
                    }
                }
                var iterator = pieces.stream.makeAsyncIterator()
                switch moment {
                case .atOnce: break
                case .afterConnection: await server.wait { $0.connectionCount == round }
                case .afterRequest: await server.wait { $0.requests.count == round }
                case .afterFirstPiece: await iterator.next()
                }
                stream.cancel()
                #expect(await stream.value == .canceled)
            }
            await server.wait { $0.openCount == 0 }
        }
    }

    @Test(arguments: NetworkTransport.allCases)
    func endsCanceledRequestsAtAnyMoment(_ kind: NetworkTransport) async throws {
        try await withServer { peer in
            while peer.receiveRequest() {
                guard peer.number % 2 == 0 else { _ = peer.respond(); continue }
                peer.respond("", status: "302 Found", fields: "Location: /elsewhere\r\n")
            }
        } _: { server in
            let transport = try kind.transport(to: server.port)
            await withTaskGroup(of: Void.self) { group in
                for round in 0..<300 {
                    group.addTask {
                        let task = Task { await transport.error(of: .sample()) }
                        for _ in 0..<round % 60 { await Task.yield() }
                        task.cancel()
                        let error = await task.value
                        #expect(error == nil || error == .canceled)
                    }
                }
            }
            #expect(await transport.error(of: .sample()) == nil)
        }
    }
}
