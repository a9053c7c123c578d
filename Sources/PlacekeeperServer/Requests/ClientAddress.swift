import PlacekeeperHTTP

/// The client address of a request, by which the server limits registrations and failed attempts.
struct ClientAddress {
    /// The peer's address, as formatted by the transport.
    private let peer: String
    /// The address that a trusted proxy sent. Nil if the peer is the client.
    private let forwarded: IPAddress?
    /// Whether requests from the address are unlimited: the client is on this machine, or a proxy on this machine sent
    /// no client address.
    let isExempt: Bool

    init(peer: String, forwarded: IPAddress? = nil, isExempt: Bool) {
        self.peer = peer
        self.forwarded = forwarded
        self.isExempt = isExempt
    }

    /// Whether a trusted proxy sent the address.
    var isForwarded: Bool { forwarded != nil }

    var text: String { forwarded?.description ?? peer }

    /// The network for which the server limits registrations and failed attempts. For IPv6, this is the first 64 bits
    /// of the address, because a client can use every address of its network (RFC 6177).
    var network: String {
        guard let address = forwarded ?? IPAddress(peer.utf8) else { return peer }
        return address.isIPv4 ? address.description : IPAddress(high: address.high, low: 0).description + "/64"
    }

    /// The network of one customer of a provider, for the circuit breaker. For IPv6, this is the first 48 bits of the
    /// address, because a customer may have all the 64-bit networks in it (RFC 6177).
    var customer: String {
        guard let address = forwarded ?? IPAddress(peer.utf8), !address.isIPv4 else { return network }
        return IPAddress(high: address.high & ~0xFFFF, low: 0).description + "/48"
    }
}

extension Server {
    /// The maximum number of members that the server reads from a field. A longer chain of proxies is a mistake.
    private static let memberLimit = 16

    /// Returns the client address that a trusted proxy sent, or else the peer's address. The field is read only from a
    /// trusted proxy, because any client can send it.
    ///
    /// Each proxy appends the address from which it got the request. So the server reads the members from last to
    /// first, skips trusted proxies, and takes the first other address as the client. If all members are trusted, the
    /// first member is the client. If a member is malformed, the trusted proxy that wrote it is the client.
    func client(of request: Request) -> ClientAddress {
        guard let field = configuration.clientAddressField, isTrusted(request.peer) else {
            return ClientAddress(peer: request.peer, isExempt: Self.isLoopback(request.peer))
        }
        var nearest: IPAddress?
        var count = 0
        for member in request.head.membersFromLast(of: field) {
            count += 1
            guard count <= Self.memberLimit, let address = IPAddress(member) else {
                return ClientAddress(peer: request.peer, forwarded: nearest, isExempt: false)
            }
            nearest = address
            if !isTrusted(address) { break }
        }
        // If a proxy on another machine sends a loopback address, the client is on that machine, not on this one.
        let isExempt = Self.isLoopback(request.peer) && (nearest.map(Self.isLoopback) ?? true)
        return ClientAddress(peer: request.peer, forwarded: nearest, isExempt: isExempt)
    }

    /// Returns the client's network. Nil for a request from this machine, because a proxy here may not send the
    /// client's address.
    func knownNetwork(of request: Request) -> String? {
        let client = client(of: request)
        return client.isExempt ? nil : client.customer
    }

    /// Returns whether a trusted proxy received the request over HTTPS. If the field has several members, the last one
    /// is from the nearest proxy.
    func isSecure(_ head: RequestHead, from peer: String) -> Bool {
        guard let field = configuration.clientSchemeField else { return false }
        var members = head.membersFromLast(of: field)
        guard let scheme = members.next() else { return false }
        return scheme.elementsEqual("https".utf8) { $0 | 0x20 == $1 } && isTrusted(peer)
    }

    private func isTrusted(_ peer: String) -> Bool { IPAddress(peer.utf8).map(isTrusted) ?? false }

    private func isTrusted(_ address: IPAddress) -> Bool {
        configuration.trustedProxies.contains { $0.contains(address) }
    }

    private static func isLoopback(_ address: IPAddress) -> Bool {
        IPNetwork.loopback.contains { $0.contains(address) }
    }

    /// Returns whether a peer is on this machine. For most requests, this text comparison is enough.
    private static func isLoopback(_ peer: String) -> Bool {
        let peer = peer.utf8
        return peer.starts(with: "127.".utf8) || peer.elementsEqual("::1".utf8)
            || peer.starts(with: "::ffff:127.".utf8)
    }
}
