import PlacekeeperSystem

/// A connection to a service. Tests send raw bytes and read whole responses. Each wait ends after ten minutes.
final class Connection {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let descriptor: Int32
    private var received: [UInt8] = []

    init(port: UInt16) throws {
        descriptor = Platform.makeSocket(AF_INET, blocks: true)
        // All tests run at the same time, possibly on few cores, so the timeouts are long.
        var patience = timeval(tv_sec: 600, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        // Each piece is sent at once.
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw Failure(description: "connect: \(String(cString: strerror(code)))")
        }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                PlacekeeperSystem.send(descriptor, $0.baseAddress, $0.count, Platform.noSignal)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(description: "send: \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends the sending side of the connection.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Sends a request and reads the response. Adds the field `Host` and, for a body, `Content-Length`.
    func request(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: [UInt8] = []
    ) throws -> Reply {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if !body.isEmpty || method == "POST" || method == "PUT" { head += "Content-Length: \(body.count)\r\n" }
        try send(Array((head + "\r\n").utf8) + body)
        return try reply(to: method)
    }

    /// Reads the next response. Skips interim responses (1xx) unless `interim` is true.
    func reply(to method: String = "GET", interim: Bool = false) throws -> Reply {
        let head = try lines()
        guard let line = head.first, line.hasPrefix("HTTP/1.1 "), let status = Int(line.dropFirst(9).prefix(3)) else {
            throw Failure(description: "no status line: \(head.first ?? "")")
        }
        let fields = try head.dropFirst().map { line in
            guard let colon = line.firstIndex(of: ":") else { throw Failure(description: "no field line: \(line)") }
            return (name: String(line[..<colon]), value: String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        var reply = Reply(status: status, fields: fields, body: [])
        if 100..<200 ~= status { return interim ? reply : try self.reply(to: method) }
        if method == "HEAD" || status == 204 || status == 304 { return reply }
        if reply["Transfer-Encoding"] == "chunked" {
            while let chunk = try chunk() { reply.body += chunk }
        } else if let length = reply["Content-Length"].flatMap({ Int($0) }) {
            reply.body = try take(length)
        } else {
            while try receive() {}
            reply.body = received
            received = []
        }
        return reply
    }

    /// Reads the head of a response with an endless body, such as an event stream.
    func head() throws -> [String] { try lines() }

    /// Reads the next chunk of a chunked body. Returns nil at the end of the body.
    func chunk() throws -> [UInt8]? {
        let size = try line()
        guard let count = Int(size, radix: 16) else { throw Failure(description: "no chunk size: \(size)") }
        if count == 0 {
            while try !line().isEmpty {}
            return nil
        }
        let chunk = try take(count)
        _ = try take(2)
        return chunk
    }

    /// Reads all bytes until the peer closes.
    func remainder() throws -> [UInt8] {
        while try receive() {}
        defer { received = [] }
        return received
    }

    private func lines() throws -> [String] {
        var lines: [String] = []
        while true {
            let line = try line()
            if line.isEmpty { return lines }
            lines.append(line)
        }
    }

    private func line() throws -> String {
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end].filter { $0 != 0x0D }, as: UTF8.self)
            }
            guard try receive() else { throw Failure(description: "the peer closed inside a message") }
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while received.count < count {
            guard try receive() else { throw Failure(description: "the peer closed inside a body") }
        }
        defer { received.removeFirst(count) }
        return Array(received[..<count])
    }

    /// Receives bytes. Returns false if the peer closed.
    private func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(description: "recv: \(String(cString: strerror(errno)))") }
            received += buffer[..<count]
            return count > 0
        }
    }
}
