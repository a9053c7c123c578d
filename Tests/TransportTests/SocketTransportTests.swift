import PlacekeeperConcurrency
import PlacekeeperClient
import Testing

@testable import PlacekeeperSocketTransport

/// The connections of the transport on sockets.
@Suite struct SocketTransportTests {
    private func transport(
        to server: ScriptedServer, configure: (inout SocketTransport.Configuration) -> Void = { _ in }
    ) -> SocketTransport {
        var configuration = SocketTransport.Configuration.patient
        configure(&configuration)
        return SocketTransport(host: "127.0.0.1", port: server.port, configuration: configuration)
    }

    @Test func opensNoMoreConnectionsThanTheLimit() async throws {
        try await withServer {
            $0.respondToAll()
        } _: { server in
            let transport = transport(to: server) { $0.connectionLimit = 2 }
            await withTaskGroup(of: TransportError?.self) { group in
                for _ in 0..<40 { group.addTask { await transport.error(of: .sample()) } }
                for await error in group { #expect(error == nil) }
            }
            #expect(server.requests.count == 40)
            #expect(server.connectionCount <= 2)
        }
    }

    @Test func givesConnectionOfFailedRequestToTheNextRequest() async throws {
        try await withServer { peer in
            // On a busy machine, a request may end before it has a connection. So the target decides, and not the number
            // of the connection.
            if peer.receiveHead()?.contains(" /answered ") == true { _ = peer.respond() } else { peer.waitForEnd() }
        } _: { server in
            let transport = transport(to: server) { $0.connectionLimit = 1 }
            for _ in 0..<3 { #expect(await transport.error(of: .sample(deadline: 0.05)) == .timedOut) }
            #expect(await transport.error(of: .sample(target: "/answered")) == nil)
        }
    }

    @Test func endsRequestThatWaitsForConnectionAtItsDeadline() async throws {
        try await withServer {
            $0.waitForEnd()
        } _: { server in
            let transport = transport(to: server) { $0.connectionLimit = 1 }
            let first = Task { await transport.error(of: .sample()) }
            await server.wait { $0.connectionCount == 1 }
            #expect(await transport.error(of: .sample(deadline: 0.05)) == .timedOut)
            #expect(server.connectionCount == 1)
            first.cancel()
            #expect(await first.value == .canceled)
        }
    }

    // MARK: - Kept connections

    /// Responds to the first request of the first connection, and closes the connection after a further request and
    /// these bytes.
    private static func closing(after text: String, resets: Bool = false) -> ScriptedServer.Script {
        { peer in
            guard peer.number == 1 else { return peer.respondToAll() }
            peer.receiveRequest()
            peer.respond()
            peer.receiveRequest()
            peer.send(text)
            if resets { peer.resetAtEnd() }
        }
    }

    @Test(arguments: ["GET", "PUT", "DELETE"])
    func sendsIdempotentRequestAgainIfItsKeptConnectionIsLost(method: String) async throws {
        try await withServer(Self.closing(after: "")) { server in
            let transport = transport(to: server)
            #expect(await transport.error(of: .sample()) == nil)
            #expect(await transport.error(of: .sample(method)) == nil)
            #expect(server.connectionCount == 2)
            #expect(server.requests.count == 3)
        }
    }

    @Test func sendsOtherRequestsOnlyOnce() async throws {
        try await withServer(Self.closing(after: "")) { server in
            let transport = transport(to: server)
            #expect(await transport.error(of: .sample()) == nil)
            #expect(await transport.error(of: .sample("POST"))?.isUnreachable == true)
            #expect(server.requests.count == 2)
        }
    }

    @Test(arguments: [false, true])
    func doesNotSendRequestAgainAfterTheFirstByteOfItsResponse(resets: Bool) async throws {
        try await withServer(Self.closing(after: "H", resets: resets)) { server in
            let transport = transport(to: server)
            #expect(await transport.error(of: .sample()) == nil)
            #expect(await transport.error(of: .sample())?.isUnreachable == true)
            #expect(server.requests.count == 2)
        }
    }

    @Test func sendsRequestAgainOnlyOnce() async throws {
        try await withServer { peer in
            peer.receiveRequest()
            if peer.number == 1, peer.respond() { peer.receiveRequest() }
        } _: { server in
            let transport = transport(to: server)
            #expect(await transport.error(of: .sample()) == nil)
            #expect(await transport.error(of: .sample())?.isUnreachable == true)
            #expect(server.connectionCount == 2)
        }
    }

    @Test func doesNotSendRequestAgainAfterTheLossOfNewConnection() async throws {
        try await withServer {
            $0.receiveRequest()
        } _: { server in
            #expect(await transport(to: server).error(of: .sample())?.isUnreachable == true)
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: ["Connection: close\r\n", "X: 1\r\n"])
    func usesNoConnectionThatTheServerClosesOrThatHasFurtherBytes(fields: String) async throws {
        try await withServer { peer in
            peer.receiveRequest()
            peer.send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 1\r\n\r\na" + (fields.hasPrefix("X") ? "b" : ""))
            peer.waitForEnd()
        } _: { server in
            let transport = transport(to: server)
            for count in 1...3 {
                #expect(await transport.error(of: .sample()) == nil)
                #expect(server.connectionCount == count)
            }
            await server.wait { $0.openCount == 0 }
        }
    }

    @Test func closesUnusedConnectionsAfterTheIdleLimit() async throws {
        try await withServer {
            $0.respondToAll()
        } _: { server in
            let transport = transport(to: server) { $0.idleLimit = 0.05 }
            #expect(await transport.error(of: .sample()) == nil)
            await server.wait { $0.openCount == 0 }
            #expect(await transport.error(of: .sample()) == nil)
            #expect(server.connectionCount == 2)
        }
    }

    @Test(arguments: NetworkTransport.allCases)
    func closesItsConnectionsAtTheEndOfTheTransport(_ kind: NetworkTransport) async throws {
        try await withServer {
            $0.respondToAll()
        } _: { server in
            var transport: (any Transport)? = try kind.transport(to: server.port)
            #expect(await transport?.error(of: .sample()) == nil)
            transport = nil
            await server.wait { $0.openCount == 0 }
        }
    }

    // MARK: - Hosts

    @Test func writesPortAndBracketsInTheHostField() {
        #expect(Host(name: "places.example", port: 80).authority == "places.example")
        #expect(Host(name: "places.example", port: 8080).authority == "places.example:8080")
        #expect(Host(name: "::1", port: 8080).authority == "[::1]:8080")
    }

    @Test func triesTheNextAddressIfOneRefusesTheConnection() async throws {
        try await withServer {
            $0.respondToAll()
        } _: { server in
            // The server listens on 127.0.0.1 only. On most systems, ::1 is the first address of this name.
            let transport = SocketTransport(host: "localhost", port: server.port)
            #expect(await transport.error(of: .sample()) == nil)
        }
    }
}
