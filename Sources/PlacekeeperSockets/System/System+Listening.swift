import PlacekeeperSystem

extension System {
    /// Returns a listening socket and its address.
    static func listen(
        at address: SocketAddress, backlog: Int32
    ) throws(TransportError) -> (descriptor: Int32, address: SocketAddress) {
        guard let (storage, length) = address.storage else {
            throw TransportError(.addressInvalid, "\(address.host) is not an IP address or localhost")
        }
        let descriptor = Platform.makeSocket(Int32(storage.ss_family), blocks: false)
        guard descriptor >= 0 else { throw TransportError("socket", errno: errno) }
        do throws(TransportError) {
            try set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
            // Accepted connections inherit this option. A response is sent in one piece, so waiting for more bytes
            // would gain nothing.
            try set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
            if storage.ss_family == sa_family_t(AF_INET6) { try set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
            try bind(descriptor, storage, length, address)
            guard PlacekeeperSystem.listen(descriptor, backlog) == 0 else { throw failure(to: "listen", at: address) }
            return (descriptor, boundAddress(of: descriptor))
        } catch {
            close(descriptor)
            throw error
        }
    }

    static func boundAddress(of descriptor: Int32) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) { storage in
            // `sockaddr_storage` starts like `sockaddr`, and `length` is its size.
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
        }
        return SocketAddress(storage)
    }

    private static func bind(
        _ descriptor: Int32, _ storage: sockaddr_storage, _ length: socklen_t, _ address: SocketAddress
    ) throws(TransportError) {
        let result = withUnsafePointer(to: storage) { storage in
            // `sockaddr_storage` starts like `sockaddr`.
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { PlacekeeperSystem.bind(descriptor, $0, length) }
        }
        guard result == 0 else { throw failure(to: "bind", at: address) }
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) throws(TransportError) {
        var value = value
        guard setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw TransportError("setsockopt", errno: errno)
        }
    }

    private static func failure(to call: String, at address: SocketAddress) -> TransportError {
        switch errno {
        case EADDRINUSE: TransportError(.addressInUse, "\(address) is in use by another process")
        case EADDRNOTAVAIL: TransportError(.addressUnavailable, "\(address.host) is not an address of this machine")
        case EACCES: TransportError(.permissionDenied, "no permission to listen on \(address)")
        default: TransportError(call, errno: errno)
        }
    }
}
