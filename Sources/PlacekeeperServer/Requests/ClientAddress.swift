import Glibc
import HTTPCodec

/// The client address of a request. The server limits registrations and failed attempts to link a device by client
/// address.
struct ClientAddress {
    var text: String
    /// Whether registrations from the address are not limited. This is the case for a load test on this machine, and
    /// for a proxy on this machine that sends no client address.
    var isExempt: Bool

    /// The network for which the server limits registrations and failed attempts to link a device. An IPv6 network is
    /// the first 64 bits of the address, because a client with one address can use all addresses of its network (RFC
    /// 6177). An IPv4-mapped IPv6 address is unchanged.
    var network: String {
        guard text.utf8.contains(0x3A), !text.utf8.contains(0x2E) else { return text }
        return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 4) { address in
            guard inet_pton(AF_INET6, text, address.baseAddress) == 1 else { return text }
            for index in 8..<16 { address[index] = 0 }
            return Self.text(AF_INET6, address.baseAddress).map { $0 + "/64" } ?? text
        }
    }

    /// Returns an address in the form that `inet_ntop` writes.
    fileprivate static func text(_ family: Int32, _ address: UnsafeRawPointer?) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { spelling in
            inet_ntop(family, address, spelling.baseAddress, socklen_t(spelling.count)).map { String(cString: $0) }
        }
    }
}

extension Server {
    /// Returns the peer's address, or the address that a proxy on this machine sent. The address field is used only
    /// from a proxy on this machine, because any client can write the field. The last address in the field is used,
    /// because the proxy added this address.
    func client(of request: Request) -> ClientAddress {
        let peer = ClientAddress(text: request.peer, isExempt: Self.isLoopback(request.peer))
        guard peer.isExempt, let field = configuration.clientAddressField,
            let told = request.head.lastMember(of: field)
        else { return peer }
        guard let address = Self.address(told) else { return ClientAddress(text: peer.text, isExempt: false) }
        return ClientAddress(text: address, isExempt: Self.isLoopback(address))
    }

    private static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }

    /// Parses an address and returns it in the form that `inet_ntop` writes, so that two spellings of one address
    /// become equal. Returns nil for an invalid address.
    private static func address(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.count < INET6_ADDRSTRLEN else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        // 16 bytes have room for an IPv4 or IPv6 address.
        return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 4) { address in
            for family in [AF_INET, AF_INET6] where inet_pton(family, text, address.baseAddress) == 1 {
                return ClientAddress.text(family, address.baseAddress)
            }
            return nil
        }
    }
}
