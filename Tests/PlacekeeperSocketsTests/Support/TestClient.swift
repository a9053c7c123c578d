import PlacekeeperSystem
import Dispatch

/// A client that sends given bytes unchanged. Each call blocks only the client's queue and times out, so that a test
/// fails and does not hang if the server does not respond.
///
/// `@unchecked Sendable`: `queue` guards all state.
final class TestClient: @unchecked Sendable {
    struct Failure: Error {
        var call: String
        var number: Int32
    }

    private let descriptor: Int32
    /// The port of the client's end.
    let port: UInt16
    let serverPort: UInt16
    private let queue = DispatchQueue(label: "test client")
    private var received: [UInt8] = []
    private var isOpen = true

    init(port serverPort: UInt16, receiveBuffer: Int32? = nil) throws {
        let descriptor = Platform.makeSocket(AF_INET, blocks: true)
        var timeout = timeval(tv_sec: 600, tv_usec: 0)
        let timeoutSize = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, timeoutSize)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, timeoutSize)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = serverPort.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(call: "connect", number: errno) }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
        }
        self.descriptor = descriptor
        self.serverPort = serverPort
        self.port = address.sin_port.bigEndian
    }

    deinit { if isOpen { PlacekeeperSystem.close(descriptor) } }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws { try await perform { try self.sendNow(bytes) } }

    func sendByteByByte(_ bytes: [UInt8]) async throws {
        try await perform { for byte in bytes { try self.sendNow([byte]) } }
    }

    /// Returns the next complete response. Set `hasBody` to false after a HEAD request.
    func response(hasBody: Bool = true) async throws -> ReceivedResponse {
        try await perform {
            while true {
                if let (response, length) = ReceivedResponse.parse(self.received, hasBody: hasBody) {
                    self.received.removeFirst(length)
                    return response
                }
                guard try self.receiveNow() else { throw Failure(call: "recv", number: 0) }
            }
        }
    }

    /// Returns all bytes until the server closes its side.
    func bytesToEnd() async throws -> [UInt8] {
        try await perform {
            while try self.receiveNow() {}
            defer { self.received = [] }
            return self.received
        }
    }

    /// Waits until `count` bytes or the end of the server's output arrived, and returns the received bytes without
    /// consuming them.
    func peek(_ count: Int) async throws -> [UInt8] {
        try await perform {
            while self.received.count < count { guard try self.receiveNow() else { break } }
            return self.received
        }
    }

    /// Returns whether bytes, or the end of the server's output, arrive within this number of milliseconds.
    func isReadable(milliseconds: Int32) async throws -> Bool {
        try await perform {
            var entry = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, milliseconds) == 1
        }
    }

    func finishSending() async throws { try await perform { _ = shutdown(self.descriptor, Int32(SHUT_WR)) } }

    func close() async throws {
        try await perform {
            self.isOpen = false
            PlacekeeperSystem.close(self.descriptor)
        }
    }

    /// Resets the connection. The server's next operation on the connection fails.
    func reset() async throws {
        try await perform {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(self.descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            self.isOpen = false
            PlacekeeperSystem.close(self.descriptor)
        }
    }

    private func sendNow(_ bytes: [UInt8]) throws {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                PlacekeeperSystem.send(descriptor, $0.baseAddress! + offset, bytes.count - offset, Platform.noSignal)
            }
            guard count > 0 else { throw Failure(call: "send", number: errno) }
            offset += count
        }
    }

    private func receiveNow() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Failure(call: "recv", number: errno) }
        received += buffer[..<count]
        return count > 0
    }

    private func perform<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
