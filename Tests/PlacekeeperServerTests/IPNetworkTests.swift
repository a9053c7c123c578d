import Testing

@testable import PlacekeeperServer

@Suite struct IPNetworkTests {
    @Test(
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false), ("10.0.0.0/8", "::ffff:10.0.0.1", true),
            ("::ffff:10.0.0.0/104", "10.0.0.1", true), ("0.0.0.0/0", "203.0.113.7", true),
            ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true),
            ("2001:db8::/32", "2001:db8:9::1", true),
            ("2001:db8::/32", "2001:db9::1", false), ("2001:db8::/64", "2001:db8::ffff:1", true),
            ("2001:db8::/64", "2001:db8:0:1::1", false), ("2001:db8::/65", "2001:db8::7fff:0:0:1", true),
            ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("::1/128", "::1", true), ("::1", "::2", false),
            ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "192.0.2.128", true),
        ])
    func containsTheAddressesWithItsPrefix(_ network: String, _ address: String, _ contains: Bool) throws {
        let network = try #require(IPNetwork(network))
        let address = try #require(IPAddress(address.utf8))
        #expect(network.contains(address) == contains)
    }

    @Test(
        arguments: [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/+8", "10.0.0.0/0008", "10.0.0.0/8/8", "10.0.0.1/8",
            "10.0.0", "10.0.0.0/-1", "2001:db8::/129", "2001:db8::1/64", "2001:db8::1:0:0:0:1/64", "[::1]", "::1%lo",
            "localhost", "10.0.0.0 /8", "10.0.0.0\0/8", String(repeating: "1", count: 9000),
        ])
    func rejectsTextThatIsNotANetwork(_ text: String) {
        #expect(IPNetwork(text) == nil)
    }

    @Test(
        arguments: [
            ("203.0.113.7", "203.0.113.7"), ("::ffff:203.0.113.7", "203.0.113.7"),
            ("2001:DB8:0:0::1", "2001:db8::1"), ("::", "::"),
        ])
    func writesEachAddressInOneSpelling(_ text: String, _ spelling: String) {
        #expect(IPAddress(text.utf8)?.description == spelling)
    }
}
