import PlacekeeperSystem

/// A host and a port: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// The host without brackets. The server listens only on a numeric address or `localhost`, because it doesn't
    /// resolve names.
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses `host:port` as in a URL, with an IPv6 address in brackets (RFC 3986 section 3.2). Nil if the text is
    /// malformed. Doesn't check whether the host exists.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...].utf8
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(Substring(digits)) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard SocketAddress(host: String(host), port: port).storage?.0.ss_family == sa_family_t(AF_INET6) else {
                return nil
            }
        } else {
            guard !host.isEmpty, host.utf8.allSatisfy(Self.standsInName) else { return nil }
        }
        self.init(host: String(host), port: port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether the host is a numeric address or `localhost`. The server can't listen on any other host.
    package var isNumeric: Bool { storage != nil }

    /// Whether a host name may contain this byte: a letter, digit, hyphen, dot or underscore. Underscores occur in the
    /// names of container networks.
    private static func standsInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension SocketAddress {
    /// The address in the kernel's form, and its length. Nil if the host is neither numeric nor `localhost`.
    var storage: (sockaddr_storage, socklen_t)? {
        let host = host == "localhost" ? "127.0.0.1" : host
        var storage = sockaddr_storage()
        let length = withUnsafeMutableBytes(of: &storage) { bytes -> Int? in
            var v4 = sockaddr_in()
            if inet_pton(AF_INET, host, &v4.sin_addr) == 1 {
                v4.sin_family = sa_family_t(AF_INET)
                v4.sin_port = port.bigEndian
                bytes.storeBytes(of: v4, as: sockaddr_in.self)
                return MemoryLayout<sockaddr_in>.size
            }
            var v6 = sockaddr_in6()
            guard inet_pton(AF_INET6, host, &v6.sin6_addr) == 1 else { return nil }
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            bytes.storeBytes(of: v6, as: sockaddr_in6.self)
            return MemoryLayout<sockaddr_in6>.size
        }
        return length.map { (storage, socklen_t($0)) }
    }

    /// Creates an address from the kernel's form. An IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) becomes an
    /// IPv4 address.
    init(_ storage: sockaddr_storage) {
        self = withUnsafeBytes(of: storage) { bytes in
            if storage.ss_family == sa_family_t(AF_INET6) {
                var v6 = bytes.loadUnaligned(as: sockaddr_in6.self)
                let text = Self.text(AF_INET6, &v6.sin6_addr)
                let mapped = "::ffff:"
                let host = text.hasPrefix(mapped) && text.contains(".") ? String(text.dropFirst(mapped.count)) : text
                return SocketAddress(host: host, port: UInt16(bigEndian: v6.sin6_port))
            }
            var v4 = bytes.loadUnaligned(as: sockaddr_in.self)
            return SocketAddress(host: Self.text(AF_INET, &v4.sin_addr), port: UInt16(bigEndian: v4.sin_port))
        }
    }

    private static func text(_ family: Int32, _ address: UnsafeRawPointer) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard inet_ntop(family, address, buffer.baseAddress, socklen_t(buffer.count)) != nil else { return "" }
            // The buffer has a constant, nonzero size, so it has an address.
            return String(cString: buffer.baseAddress!)
        }
    }
}
