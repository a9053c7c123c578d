import CLinux
import Glibc

/// An IPv4 or IPv6 address and a port: `127.0.0.1:8080`, `[::1]:8080`.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address without the port: `127.0.0.1`, `::1`.
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port`, the host an address, one in brackets for IPv6, or `localhost`. Names are not looked up.
    package init(_ text: String) throws(TransportError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw Self.invalid(text)
        }
        var host = String(text[..<colon])
        if host.first == "[", host.last == "]" {
            host = String(host.dropFirst().dropLast())
            guard host.contains(":") else { throw Self.invalid(text) }
        } else if host.contains(":") {
            throw Self.invalid(text)
        }
        self.init(host: host == "localhost" ? "127.0.0.1" : host, port: port)
        guard storage != nil else { throw Self.invalid(text) }
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private static func invalid(_ text: String) -> TransportError {
        TransportError(.addressInvalid, "\(text) is not an address and a port, such as 127.0.0.1:8080 or [::1]:8080")
    }
}

extension SocketAddress {
    /// The form that the kernel takes, and its length; nil when the host is not an address.
    var storage: (sockaddr_storage, socklen_t)? {
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

    /// What the kernel says. IPv4 that comes through an IPv6 socket (RFC 4291 section 2.5.5.2) reads as IPv4.
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
            return String(cString: buffer.baseAddress!)
        }
    }
}
