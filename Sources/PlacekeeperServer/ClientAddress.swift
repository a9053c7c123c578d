import Glibc
import HTTPCodec

/// Where a request comes from, as far as attempts are counted by it.
struct ClientAddress {
    var text: String
    /// Whether registrations are not counted: a load test, or a proxy on this machine that does not say for whom it asks.
    var isExempt: Bool
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
        // Room for either family's, and for either's text.
        return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 4) { address in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { spelling in
                for family in [AF_INET, AF_INET6] where inet_pton(family, text, address.baseAddress) == 1 {
                    return inet_ntop(family, address.baseAddress, spelling.baseAddress, socklen_t(spelling.count))
                        .map { String(cString: $0) }
                }
                return nil
            }
        }
    }
}
