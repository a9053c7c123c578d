import Testing

@testable import PlacekeeperSockets

@Suite struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", UInt16(8080)), ("0.0.0.0:0", "0.0.0.0", 0), ("[::1]:65535", "::1", 65535),
        ("[::]:80", "::", 80),
    ])
    func readsAnAddressAndAPort(text: String, host: String, port: UInt16) throws {
        let address = try #require(SocketAddress(text))
        #expect(address == SocketAddress(host: host, port: port))
        #expect(address.description == text)
        let (storage, _) = try #require(address.storage)
        #expect(SocketAddress(storage) == address)
    }

    @Test(arguments: [
        ("service:80", "service"), ("a-b.example.com:80", "a-b.example.com"), ("300.0.0.1:80", "300.0.0.1"),
    ])
    func readsAHostNameButDoesNotListenOnIt(text: String, host: String) throws {
        let address = try #require(SocketAddress(text))
        #expect(address == SocketAddress(host: host, port: 80))
        #expect(!address.isNumeric)
        let error = #expect(throws: TransportError.self) { try System.listen(at: address, backlog: 1) }
        #expect(error?.code == .addressInvalid)
    }

    @Test func listensOnLoopbackForLocalhost() throws {
        let (storage, _) = try #require(SocketAddress("localhost:80")?.storage)
        #expect(SocketAddress(storage) == SocketAddress(host: "127.0.0.1", port: 80))
    }

    @Test(arguments: [
        "", ":", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80", "[::1]",
        "[127.0.0.1]:80", "[]:80", "[::1:80", "127.0.0.1:+80", "a b:80", "u@h:80", "h/p:80", ":80", "h\u{e9}:80",
    ])
    func refusesMalformedAddresses(text: String) {
        #expect(SocketAddress(text) == nil)
    }

    @Test func readsAnIPv4PeerOfAnIPv6SocketAsIPv4() throws {
        let (storage, _) = try #require(SocketAddress(host: "::ffff:192.0.2.7", port: 5).storage)
        #expect(SocketAddress(storage) == SocketAddress(host: "192.0.2.7", port: 5))
    }
}
