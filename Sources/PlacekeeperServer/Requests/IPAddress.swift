#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An IPv4 or IPv6 address. An IPv4 address is stored as its IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2), so
/// `192.0.2.1` and `::ffff:192.0.2.1` are equal.
struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The first and the last 64 bits.
    let high: UInt64
    let low: UInt64

    private static let mappedPrefix: UInt64 = 0xFFFF << 32

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses an address without a port, zone or brackets. Nil for any other text. Doesn't allocate.
    init?(_ text: some Collection<UInt8>) {
        let capacity = Int(INET6_ADDRSTRLEN)
        guard text.count < capacity, !text.contains(0) else { return nil }
        let words = withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { spelling in
            var count = 0
            for byte in text {
                spelling[count] = CChar(bitPattern: byte)
                count += 1
            }
            spelling[count] = 0
            return Self.words(spelling)
        }
        guard let words else { return nil }
        self.init(high: words.high, low: words.low)
    }

    private static func words(_ spelling: UnsafeMutableBufferPointer<CChar>) -> (high: UInt64, low: UInt64)? {
        guard let text = spelling.baseAddress else { return nil }
        var four: UInt32 = 0
        if inet_pton(AF_INET, text, &four) == 1 { return (0, mappedPrefix | UInt64(UInt32(bigEndian: four))) }
        var six: (UInt64, UInt64) = (0, 0)
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        return (UInt64(bigEndian: six.0), UInt64(bigEndian: six.1))
    }

    var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// The address in the format of `inet_ntop`.
    var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { spelling in
            var four = UInt32(truncatingIfNeeded: low).bigEndian
            var six = (high.bigEndian, low.bigEndian)
            let size = socklen_t(spelling.count)
            let text =
                isIPv4
                ? inet_ntop(AF_INET, &four, spelling.baseAddress, size)
                : inet_ntop(AF_INET6, &six, spelling.baseAddress, size)
            return text.map { String(cString: $0) } ?? ""
        }
    }
}
