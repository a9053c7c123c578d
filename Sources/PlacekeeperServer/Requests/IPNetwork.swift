/// A network of addresses in CIDR notation, such as `10.0.0.0/8` or `2001:db8::/32` (RFC 4632, RFC 4291 section 2.3).
package struct IPNetwork: Sendable, Hashable {
    /// The loopback networks.
    package static let loopback = ["127.0.0.0/8", "::1"].compactMap(IPNetwork.init)

    private let address: IPAddress
    /// The bits that all addresses of the network have in common.
    private let mask: IPAddress

    /// Parses a network or a single address. Nil for any other text. Also nil if bits after the prefix are set, because
    /// that is probably a mistake.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, let address = IPAddress(first) else { return nil }
        // All addresses of an IPv4 network also share the 96 bits before the IPv4 address.
        let isWrittenAsIPv4 = !first.contains(0x3A)
        var length = 128
        if parts.count == 2 {
            let digits = parts[1]
            guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            let prefix = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            guard prefix <= (isWrittenAsIPv4 ? 32 : 128) else { return nil }
            length = isWrittenAsIPv4 ? prefix + 96 : prefix
        }
        self.address = address
        // A shift by all bits gives 0.
        mask = IPAddress(high: ~0 << UInt64(max(64 - length, 0)), low: ~0 << UInt64(min(128 - length, 64)))
        guard contains(address) else { return nil }
    }

    func contains(_ other: IPAddress) -> Bool {
        other.high & mask.high == address.high && other.low & mask.low == address.low
    }
}
