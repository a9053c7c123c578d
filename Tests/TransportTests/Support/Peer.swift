import PlacekeeperSystem
import PlacekeeperConcurrency

/// The server's side of a connection. Each call blocks the connection's own thread. A call fails after ten minutes, or
/// when the server is stopped.
final class Peer: Sendable {
    private struct State {
        var received: [UInt8] = []
        var sent = 0
    }

    /// The number of the connection. The first connection has the number 1.
    let number: Int
    private let descriptor: Int32
    private let state = LockBox(State())
    private let note: @Sendable (String) -> Void

    /// - Parameter note: Called with the head of each request.
    init(_ descriptor: Int32, number: Int, note: @escaping @Sendable (String) -> Void) {
        self.descriptor = descriptor
        self.number = number
        self.note = note
        var patience = timeval(tv_sec: 600, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    var sent: Int { state.withLock { $0.sent } }

    /// Receives a request. Returns false if the client closed the connection.
    @discardableResult
    func receiveRequest() -> Bool {
        guard let head = receiveHead() else { return false }
        let lines = head.lowercased().split(separator: "\r\n")
        let length = lines.first { $0.hasPrefix("content-length:") }.flatMap {
            Int($0.dropFirst("content-length:".count).drop { $0 == " " })
        }
        return take(length ?? 0) != nil
    }

    /// Receives the head of a request, and not its body.
    @discardableResult
    func receiveHead() -> String? {
        while true {
            let end = state.withLock { state in
                state.received.indices.dropFirst(3).first {
                    state.received[$0 - 3...$0].elementsEqual([0x0D, 0x0A, 0x0D, 0x0A])
                }
            }
            if let end, let head = take(end + 1) {
                let text = String(decoding: head, as: UTF8.self)
                note(text)
                return text
            }
            guard receive() else { return nil }
        }
    }

    /// Sends bytes. Returns false if the connection is lost.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                PlacekeeperSystem.send(descriptor, $0.baseAddress, $0.count, Platform.noSignal)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
            state.withLock { $0.sent += count }
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Responds with a text.
    @discardableResult
    func respond(_ text: String = "fine", status: String = "200 OK", fields: String = "") -> Bool {
        send("HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
    }

    /// Responds to each request until the client closes the connection.
    func respondToAll() { while receiveRequest(), respond() {} }

    /// Waits until the client closes the connection.
    func waitForEnd() { while receive() { state.withLock { $0.received = [] } } }

    /// Waits for some milliseconds. Returns false if the client sent bytes or closed the connection.
    func pause(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) == 0
    }

    /// Makes the end of the connection a reset.
    func resetAtEnd() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private func take(_ count: Int) -> [UInt8]? {
        while state.withLock({ $0.received.count < count }) { guard receive() else { return nil } }
        return state.withLock { state in
            defer { state.received.removeFirst(count) }
            return Array(state.received.prefix(count))
        }
    }

    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        let bytes = buffer[..<count]
        state.withLock { $0.received += bytes }
        return true
    }
}
