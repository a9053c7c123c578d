import PlacekeeperClient

extension TransportRequest {
    /// Returns the bytes of a valid request before its body (RFC 9112 section 3).
    func head(for host: Host) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host.authority)"]
        lines += fields.map { "\($0.name): \($0.value)" }
        // A method that defines content announces even an empty body (RFC 9110 section 8.6).
        if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) { lines.append("Content-Length: \(body.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
