import Glibc
import HTTPCodec

/// Where a request comes from, as far as attempts are counted by it.
struct ClientAddress {
    var text: String
    /// Whether registrations are not counted: a load test, or a proxy on this machine that does not say for whom it asks.
    var isExempt: Bool

    /// What attempts are counted by: of IPv6 the first 64 bits, since whoever has one address there has all of them
    /// (RFC 6177). IPv4 in IPv6's clothes stays itself.
    var network: String {
        guard text.utf8.contains(0x3A), !text.utf8.contains(0x2E) else { return text }
        return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 4) { address in
            guard inet_pton(AF_INET6, text, address.baseAddress) == 1 else { return text }
            for index in 8..<16 { address[index] = 0 }
            return Self.text(AF_INET6, address.baseAddress).map { $0 + "/64" } ?? text
        }
    }

    /// An address as the system writes it.
    fileprivate static func text(_ family: Int32, _ address: UnsafeRawPointer?) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { spelling in
            inet_ntop(family, address, spelling.baseAddress, socklen_t(spelling.count)).map { String(cString: $0) }
        }
    }
}

extension Server {
    /// The peer, or whom a proxy on this machine names. Of anybody else the field is not believed, who may write what
    /// they like into it; for the same reason the last address counts, which the proxy added itself.
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

    /// An address in the one form that the system writes it in, so that another spelling is no other address; nil for
    /// what is none.
    private static func address(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.count < INET6_ADDRSTRLEN else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        // Room for either family's.
        return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 4) { address in
            for family in [AF_INET, AF_INET6] where inet_pton(family, text, address.baseAddress) == 1 {
                return ClientAddress.text(family, address.baseAddress)
            }
            return nil
        }
    }
}
