import Testing

@testable import HTTPTransport

@Suite struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", UInt16(8080)), ("0.0.0.0:0", "0.0.0.0", 0), ("[::1]:65535", "::1", 65535),
        ("[::]:80", "::", 80), ("localhost:80", "127.0.0.1", 80),
    ])
    func readsAnAddressAndAPort(text: String, host: String, port: UInt16) throws {
        let address = try SocketAddress(text)
        #expect(address == SocketAddress(host: host, port: port))
        #expect(try SocketAddress(address.description) == address)
        let (storage, _) = try #require(address.storage)
        #expect(SocketAddress(storage) == address)
    }

    @Test(arguments: [
        "", ":", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80", "[::1]",
        "[127.0.0.1]:80",
        "example.com:80", "300.0.0.1:80", ":80",
    ])
    func refusesWhatIsNotOne(text: String) {
        let error = #expect(throws: TransportError.self) { try SocketAddress(text) }
        #expect(error?.code == .addressInvalid)
    }

    @Test func readsAnIPv4PeerOfAnIPv6SocketAsIPv4() throws {
        let (storage, _) = try #require(SocketAddress(host: "::ffff:192.0.2.7", port: 5).storage)
        #expect(SocketAddress(storage) == SocketAddress(host: "192.0.2.7", port: 5))
    }
}
