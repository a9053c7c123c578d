import PlacekeeperSystem

/// The host and the port of the service.
struct Host: Sendable {
    var name: String
    var port: UInt16

    /// The value of the field `Host` (RFC 9110 section 7.2).
    var authority: String {
        let host = name.utf8.contains(0x3A) ? "[\(name)]" : name
        return port == 80 ? host : "\(host):\(port)"
    }

    /// Looks up the host's addresses. May block until the system's resolver times out.
    func addresses() -> [Address] {
        var hints = addrinfo()
        hints.ai_socktype = Platform.streamSocket
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [Address] = []
        var next = list
        while let entry = next?.pointee {
            if let address = Address(entry) { addresses.append(address) }
            next = entry.ai_next
        }
        return addresses
    }
}

/// An address of a host.
struct Address: Sendable {
    private let storage: sockaddr_storage
    private let length: socklen_t

    fileprivate init?(_ entry: addrinfo) {
        guard let address = entry.ai_addr, Int(entry.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size else {
            return nil
        }
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
        }
        self.storage = storage
        length = entry.ai_addrlen
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// Starts connecting a socket. Returns 0, or the error number.
    func connect(_ descriptor: Descriptor) -> Int32 {
        withUnsafePointer(to: storage) { storage in
            // Every address starts like `sockaddr`. Addresses longer than `storage` were rejected earlier.
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                PlacekeeperSystem.connect(descriptor.number, $0, length) == 0 ? 0 : errno
            }
        }
    }
}
