/// Where to listen or to ask: a host and a port, as in `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`.
struct Address: Sendable, Hashable, CustomStringConvertible {
    /// Without brackets.
    var host: String
    var port: UInt16

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            // Without brackets it cannot be told where an IPv6 address ends.
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { "[]/@ ".contains($0) }) else { return nil }
        self.init(host: String(host), port: port)
    }

    /// Such as `[::1]:8080`: what stands in a URL.
    var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
