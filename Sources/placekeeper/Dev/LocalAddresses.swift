import PlacekeeperSystem

/// The IPv4 addresses at which other machines may reach this one.
enum LocalAddresses {
    static func all() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        return sequence(first: first) { $0?.pointee.ifa_next }.prefix { $0 != nil }.compactMap { entry in
            guard let address = entry?.pointee.ifa_addr, Int32(address.pointee.sa_family) == AF_INET else { return nil }
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
                let size = socklen_t(MemoryLayout<sockaddr_in>.size)
                guard let start = buffer.baseAddress,
                    getnameinfo(address, size, start, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0
                else { return nil }
                let text = String(cString: start)
                return text.hasPrefix("127.") ? nil : text
            }
        }
    }
}
