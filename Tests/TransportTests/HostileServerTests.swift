import Foundation
import PlacekeeperCompression
import PlacekeeperConcurrency
import PlacekeeperClient
import PlacekeeperSocketTransport
import Testing

/// What the transports that use the network do with a hostile or broken server.
@Suite struct HostileServerTests {
    @Test(arguments: HostileResponse.all)
    func endsWithErrorOrResponseOnSockets(_ hostile: HostileResponse) async throws {
        try await check(.sockets, hostile, hostile.expected)
    }

    @Test(arguments: HostileResponse.all.filter { !$0.expectedOfURLSession.endsProcess })
    func endsWithErrorOrResponseWithURLSession(_ hostile: HostileResponse) async throws {
        try await check(.urlSession, hostile, hostile.expectedOfURLSession)
    }

    private func check(
        _ kind: NetworkTransport, _ hostile: HostileResponse, _ expected: HostileResponse.Expectation
    ) async throws {
        try await withServer(hostile.script) { server in
            let transport = try kind.transport(to: server.port)
            let request = TransportRequest.sample(
                deadline: expected.endsAtDeadline ? 0.3 : 600, responseLimit: HostileResponse.limit)
            let result: Result<TransportResponse, TransportError>
            do throws(TransportError) { result = .success(try await transport.send(request)) } catch {
                result = .failure(error)
            }
            #expect(expected.allows(result), "\(result)")
            // The server sends at most 16 MiB, and a client that stops reading fills only the buffers of the sockets.
            if kind == .sockets { #expect(server.sentCount < 12 << 20) }
            // The transport serves further requests.
            server.setScript { $0.respondToAll() }
            let next = try await transport.send(.sample())
            #expect(next.status == 200)
            #expect(next.body == Array("fine".utf8))
        }
    }

    @Test(arguments: NetworkTransport.allCases, ["GET", "POST", "PUT", "DELETE"])
    func followsNoRedirect(_ kind: NetworkTransport, method: String) async throws {
        try await withServer {
            $0.respondToAll()
        } _: { other in
            for status in [301, 302, 303, 307, 308] {
                for target in ["http://127.0.0.1:\(other.port)/", "//127.0.0.1:\(other.port)/", "/elsewhere"] {
                    try await withServer { peer in
                        while peer.receiveRequest(),
                            peer.respond("", status: "\(status) Elsewhere", fields: "Location: \(target)\r\n")
                        {}
                    } _: { server in
                        let transport = try kind.transport(to: server.port)
                        let body = method == "GET" ? [] : Array("state".utf8)
                        let response = try await transport.send(.sample(method, body: body))
                        #expect(response.status == status)
                        #expect(response["location"] == target)
                        #expect(await transport.streamError() == nil)
                        #expect(server.requests.count == 2)
                    }
                }
            }
            #expect(other.connectionCount == 0)
        }
    }

    @Test(arguments: NetworkTransport.allCases)
    func sendsNoCookies(_ kind: NetworkTransport) async throws {
        try await withServer { peer in
            while peer.receiveRequest(),
                peer.respond(fields: "Set-Cookie: a=b; Path=/\r\nCache-Control: max-age=60\r\n")
            {}
        } _: { server in
            let transport = try kind.transport(to: server.port)
            for _ in 0..<3 { _ = try await transport.send(.sample()) }
            // Each request reaches the server, so no response comes from a cache.
            #expect(server.requests.count == 3)
            #expect(!server.requests.contains { $0.lowercased().contains("cookie:") })
            #expect(server.requests.allSatisfy { $0.contains("Authorization: Bearer secret\r\n") })
        }
    }

    @Test(arguments: NetworkTransport.allCases)
    func sendsFurtherRequestsOnKeptConnection(_ kind: NetworkTransport) async throws {
        try await withServer {
            $0.respondToAll()
        } _: { server in
            let transport = try kind.transport(to: server.port)
            for _ in 0..<5 { #expect(try await transport.send(.sample()).status == 200) }
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: NetworkTransport.allCases)
    func limitsDecodedBytesOfCompressedBody(_ kind: NetworkTransport) async throws {
        let zeros = [UInt8](repeating: 0, count: 8 << 20)
        let body = try #require(Compressor(.gzip).deflate(zeros))
        try await withServer { peer in
            peer.receiveRequest()
            peer.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
            peer.send(body)
            peer.waitForEnd()
        } _: { server in
            let transport = try kind.transport(to: server.port)
            let request = TransportRequest.sample(responseLimit: 1 << 20)
            switch kind {
            // A transport that accepts no encoding does not decode.
            case .sockets:
                let isUnchanged = try await transport.send(request).body == body
                #expect(isUnchanged)
            case .urlSession: #expect(await transport.error(of: request)?.isInvalid == true)
            }
        }
    }

    @Test(arguments: NetworkTransport.allCases)
    func returnsResponseThatArrivesBeforeTheRequestIsSent(_ kind: NetworkTransport) async throws {
        try await withServer { peer in
            peer.receiveHead()
            peer.respond("no", status: "413 Content Too Large", fields: "Connection: close\r\n")
            peer.waitForEnd()
        } _: { server in
            let transport = try kind.transport(to: server.port)
            let body = [UInt8](repeating: 1, count: 32 << 20)
            #expect(try await transport.send(.sample("PUT", body: body)).status == 413)
        }
    }

    @Test(arguments: NetworkTransport.allCases)
    func throwsUnreachableIfNobodyListens(_ kind: NetworkTransport) async throws {
        let port = try UnusedPort()
        defer { port.release() }
        let transport = try kind.transport(to: port.number)
        #expect(await transport.error(of: .sample())?.isUnreachable == true)
        #expect(await transport.streamError()?.isUnreachable == true)
    }

    @Test func urlSessionNamesTheAddressThatAcceptsNoConnection() async throws {
        let port = try UnusedPort()
        defer { port.release() }
        let error = try await NetworkTransport.urlSession.transport(to: port.number).error(of: .sample())
        #expect(error?.description.contains("127.0.0.1:\(port.number). Check the address") == true)
    }

    @Test(arguments: ["ftp://place.example.com", "place.example.com", "file:///tmp", "https:"])
    func urlSessionRefusesAnAddressWithoutHTTP(_ address: String) async throws {
        let transport = URLSessionTransport(try #require(URL(string: address)))
        let error = await transport.error(of: .sample())
        #expect(error?.description.hasPrefix("The address of the service needs http or https") == true)
    }
}

extension HostileResponse.Expectation {
    fileprivate var endsAtDeadline: Bool {
        switch self {
        case .deadline, .errorOrDeadline: true
        case .error, .response, .responseOrError, .endOfProcess: false
        }
    }

    fileprivate var endsProcess: Bool { if case .endOfProcess = self { true } else { false } }

    fileprivate func allows(_ result: Result<TransportResponse, TransportError>) -> Bool {
        switch (self, result) {
        case (.deadline, .failure(.timedOut)), (.errorOrDeadline, .failure), (.responseOrError, _): true
        case (.error, .failure(let error)): error.isInvalid || error.isUnreachable
        case (.response(let status, let body), .success(let response)):
            response.status == status && response.body == Array(body.utf8)
        default: false
        }
    }
}
