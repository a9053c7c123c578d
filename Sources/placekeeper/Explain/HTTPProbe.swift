import PlacekeeperSystem
import PlacekeeperSockets

/// Sends one GET request. Each call of connect, send or recv waits for at most `patience`.
struct HTTPProbe {
    /// The parts of an `http` URL.
    struct Target: Sendable, Hashable {
        var address: SocketAddress
        /// The path and query.
        var path = "/readyz"
    }

    struct Failure: Error, Sendable, Hashable {
        var message: String
    }

    var target: Target
    var patience: Duration = .seconds(3)

    /// Sends the request and returns the status of the response.
    func status() throws(Failure) -> Int { try receive { $0.count >= 12 }.status }

    /// Sends the request and returns the status and the body, at most 64 KiB of it.
    func reply() throws(Failure) -> (status: Int, body: String) { try receive { $0.count >= 64 << 10 } }

    /// - Parameter isEnough: whether the bytes received so far are enough.
    private func receive(until isEnough: ([UInt8]) -> Bool) throws(Failure) -> (status: Int, body: String) {
        let descriptor = try connected()
        defer { close(descriptor) }
        let request = Array("GET \(target.path) HTTP/1.1\r\nHost: \(target.address)\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Platform.noSignal) == request.count else {
            throw failure("does not accept a request", errno)
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        let end = ContinuousClock.now + patience * 3
        while !isEnough(received), ContinuousClock.now < end {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw failure("does not answer", errno) }
            if count == 0 { break }
            received += buffer[..<count]
        }
        // The status is in the first 12 bytes of a response: `HTTP/1.1 200`.
        let line = String(decoding: received.prefix(12), as: UTF8.self)
        guard line.hasPrefix("HTTP/1."), let status = Int(line.suffix(3)) else {
            throw Failure(message: "\(target.address) does not speak HTTP")
        }
        let text = String(decoding: received, as: UTF8.self)
        let head = text.firstRange(of: "\r\n\r\n")
        return (status, head.map { String(text[$0.upperBound...]) } ?? "")
    }

    private func connected() throws(Failure) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Platform.streamSocket
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(target.address.host, String(target.address.port), &hints, &list)
        guard code == 0 else {
            throw Failure(message: "cannot look up \(target.address.host): \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(list) }
        var last = ECONNREFUSED
        var next = list
        while let candidate = next?.pointee {
            let descriptor = Platform.makeSocket(candidate.ai_family, blocks: true)
            var limit = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
            // On Linux, this limit also applies to connect(2) (socket(7)).
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
            if connect(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0 { return descriptor }
            last = errno
            close(descriptor)
            next = candidate.ai_next
        }
        throw failure("does not accept a connection", last)
    }

    private func failure(_ what: String, _ code: Int32) -> Failure {
        let cause = code == EAGAIN || code == EINPROGRESS ? "no answer in time" : String(cString: strerror(code))
        return Failure(message: "\(target.address) \(what): \(cause)")
    }
}

extension HTTPProbe.Target {
    /// Parses a URL. The port defaults to 80, and the path to `/readyz`.
    init(_ url: String) throws(HTTPProbe.Failure) {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else {
            throw HTTPProbe.Failure(
                message: "\(quoted(url)) is not a URL; give the whole URL: http://\(escapedForTerminal(url))")
        }
        guard url[..<colon].lowercased() == "http" else {
            throw HTTPProbe.Failure(
                message: "\(quoted(url)) is not an http:// URL; give the URL of the service itself, not of its proxy")
        }
        let rest = url[colon...].dropFirst(3)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let (authority, path) = (String(rest[..<slash]), String(rest[slash...]))
        guard let address = SocketAddress(authority) ?? SocketAddress(authority + ":80"),
            !path.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value >= 0x7F })
        else {
            throw HTTPProbe.Failure(message: "\(quoted(url)) is not a URL; give one like http://127.0.0.1:8080/readyz")
        }
        self.address = address
        self.path = path.isEmpty || path == "/" ? "/readyz" : path
    }
}
