import Glibc
import HTTPTransport

/// One GET of one path, for the status alone. It waits no longer than its patience.
struct HTTPProbe {
    /// A URL of the scheme `http`, taken apart.
    struct Target: Sendable, Hashable {
        var address: SocketAddress
        /// With the query.
        var path = "/readyz"
    }

    struct Failure: Error, Sendable, Hashable {
        var message: String
    }

    var target: Target
    var patience: Duration = .seconds(3)

    /// The status of the answer.
    func status() throws(Failure) -> Int {
        let descriptor = try connected()
        defer { close(descriptor) }
        let request = Array("GET \(target.path) HTTP/1.1\r\nHost: \(target.address)\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw failure("does not take a request", errno)
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        // `HTTP/1.1 200`: nothing after it is of interest.
        while received.count < 12 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw failure("gives no answer", errno) }
            if count == 0 { break }
            received += buffer[..<count]
        }
        let line = String(decoding: received.prefix(12), as: UTF8.self)
        guard line.hasPrefix("HTTP/1."), let status = Int(line.suffix(3)) else {
            throw Failure(message: "\(target.address) does not speak HTTP")
        }
        return status
    }

    private func connected() throws(Failure) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(target.address.host, String(target.address.port), &hints, &list)
        guard code == 0 else {
            throw Failure(message: "\(target.address.host) is not known: \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(list) }
        var last = ECONNREFUSED
        var next = list
        while let candidate = next?.pointee {
            let descriptor = socket(
                candidate.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var limit = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
            // On Linux this bounds connect(2), too (socket(7)).
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
            if connect(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0 { return descriptor }
            last = errno
            close(descriptor)
            next = candidate.ai_next
        }
        throw failure("does not take a connection", last)
    }

    private func failure(_ what: String, _ code: Int32) -> Failure {
        let cause = code == EAGAIN || code == EINPROGRESS ? "no answer in time" : String(cString: strerror(code))
        return Failure(message: "\(target.address) \(what): \(cause)")
    }
}

extension HTTPProbe.Target {
    /// Without a port it is 80, without a path `/readyz`.
    init(_ url: String) throws(HTTPProbe.Failure) {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else {
            throw HTTPProbe.Failure(message: "\(quoted(url)) is no URL; give the whole URL: http://\(harmless(url))")
        }
        guard url[..<colon].lowercased() == "http" else {
            throw HTTPProbe.Failure(
                message: "\(quoted(url)): only http:// is asked, the service itself behind its proxy")
        }
        let rest = url[colon...].dropFirst(3)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let (authority, path) = (String(rest[..<slash]), String(rest[slash...]))
        guard let address = SocketAddress(authority) ?? SocketAddress(authority + ":80"),
            !path.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value >= 0x7F })
        else {
            throw HTTPProbe.Failure(message: "\(quoted(url)) is no URL; give one like http://127.0.0.1:8080/readyz")
        }
        self.address = address
        self.path = path.isEmpty || path == "/" ? "/readyz" : path
    }
}
