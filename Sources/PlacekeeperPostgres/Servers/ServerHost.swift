/// A place where a database server may be: one of the hosts that a URL names.
struct ServerHost: Sendable, Hashable {
    /// A host name, an address, or the folder of a Unix socket. `nil` to let libpq find the server by itself.
    var name: String?
    /// The address to connect to. The server's certificate and the password file are still checked with the name.
    var address: String?
    var port: String?

    /// The settings that make libpq connect to this host only, whatever the URL names.
    var settings: [(String, String)] {
        [("host", name), ("hostaddr", address), ("port", port)].compactMap { key, value in value.map { (key, $0) } }
    }

    /// The name whose addresses must be looked up before a connection.
    var nameToLookUp: String? {
        guard let name, address == nil, !name.hasPrefix("/"), !name.hasPrefix("@") else { return nil }
        return name
    }

    /// Whether this is the host, or one of the addresses of its name.
    func belongs(to host: ServerHost) -> Bool {
        name == host.name && port == host.port && (host.address == nil || address == host.address)
    }

    /// The text for messages, similar to libpq's.
    var description: String {
        guard let place = name ?? address else { return "the default server" }
        let address = name == nil ? nil : address.map { $0 == name ? "" : " (\($0))" }
        return "\"\(place)\"\(address ?? "")\(port.map { ", port \($0)" } ?? "")"
    }
}

extension ServerHost {
    /// Splits libpq's lists of names, addresses and ports. Returns one host without a name if libpq must use the lists
    /// itself: they name nothing, don't have the same length, or have gaps that can't be filled from outside.
    ///
    /// - Parameter usualPort: the port of the hosts without one.
    static func split(names: String?, addresses: String?, ports: String?, usualPort: String?) -> [ServerHost] {
        let (names, addresses, ports) = (elements(names), elements(addresses), elements(ports))
        let count = max(names.count, addresses.count)
        guard count > 0, [0, count].contains(names.count), [0, count].contains(addresses.count),
            [0, 1, count].contains(ports.count), !addresses.contains(""), !addresses.isEmpty || !names.contains("")
        else { return [ServerHost()] }
        return (0..<count).map { index in
            let port = ports.isEmpty ? "" : ports[ports.count == 1 ? 0 : index]
            return ServerHost(
                name: names.isEmpty || names[index].isEmpty ? nil : names[index],
                address: addresses.isEmpty ? nil : addresses[index], port: port.isEmpty ? usualPort : port)
        }
    }

    private static func elements(_ list: String?) -> [String] {
        guard let list, !list.isEmpty else { return [] }
        return list.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    }
}
