import PlacekeeperHTTP

/// The client address of a request. The server limits registrations and failed attempts by client address.
struct ClientAddress {
    /// The peer's address, as the transport wrote it.
    private let peer: String
    /// The address that a trusted proxy sent. Nil if the peer is the client.
    private let forwarded: IPAddress?
    /// Whether the requests of the address are not limited. This is the case for a load test on this machine, and for a
    /// proxy on this machine that sends no client address.
    let isExempt: Bool

    init(peer: String, forwarded: IPAddress? = nil, isExempt: Bool) {
        self.peer = peer
        self.forwarded = forwarded
        self.isExempt = isExempt
    }

    var text: String { forwarded?.description ?? peer }

    /// The network for which the server limits registrations and failed attempts. An IPv6 network is the first 64 bits
    /// of the address, because a client with one address can use all addresses of its network (RFC 6177).
    var network: String {
        guard let address = forwarded ?? IPAddress(peer.utf8) else { return peer }
        return address.isIPv4 ? address.description : IPAddress(high: address.high, low: 0).description + "/64"
    }

    /// The network of one customer of a provider, for the breaker. An IPv6 network is the first 48 bits of the address: a
    /// customer may have all networks of 64 bits in it (RFC 6177).
    var customer: String {
        guard let address = forwarded ?? IPAddress(peer.utf8), !address.isIPv4 else { return network }
        return IPAddress(high: address.high & ~0xFFFF, low: 0).description + "/48"
    }
}

extension Server {
    /// The maximum number of a field's members that the server reads. More proxies than this in a row are a mistake.
    private static let memberLimit = 16

    /// Returns the peer's address, or the client address that a trusted proxy sent. The address field is used only from
    /// a trusted proxy, because any client can write the field.
    ///
    /// Each proxy appends the address from which its request came. So the server reads the field from the last member,
    /// and skips the addresses of trusted proxies. The first other address is the client. If all members are trusted,
    /// the first member of the field is the client. If a member is malformed, the trusted proxy that wrote the member
    /// is the client.
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
        // A loopback address that a proxy on another machine sent is an address of that machine.
        let isExempt = Self.isLoopback(request.peer) && (nearest.map(Self.isLoopback) ?? true)
        return ClientAddress(peer: request.peer, forwarded: nearest, isExempt: isExempt)
    }

    /// Returns the network of the client. Nil for a request from this machine: it may come from a proxy that sends no
    /// client address, so its network is not known.
    func knownNetwork(of request: Request) -> String? {
        let client = client(of: request)
        return client.isExempt ? nil : client.customer
    }

    /// Returns whether a trusted proxy received the request over HTTPS. If the field has several members, the nearest
    /// proxy wrote the last member.
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

    /// Returns whether a peer is on this machine. Most requests need only this comparison of texts.
    private static func isLoopback(_ peer: String) -> Bool {
        let peer = peer.utf8
        return peer.starts(with: "127.".utf8) || peer.elementsEqual("::1".utf8)
            || peer.starts(with: "::ffff:127.".utf8)
    }
}
