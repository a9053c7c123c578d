import PlacekeeperSystem

/// A non-blocking socket. The descriptor is closed when the last reference is released. Each dispatch source for the
/// descriptor keeps a reference until it is fully canceled.
final class Descriptor: Sendable {
    enum Received {
        case bytes(Int)
        case end
        case wouldBlock
        case failed(Int32)
    }

    let number: Int32

    /// Nil if the process or the system has run out of descriptors.
    init?(family: Int32) {
        number = Platform.makeSocket(family, blocks: false)
        guard number >= 0 else { return nil }
        // A request is sent in one piece, so waiting for more bytes would gain nothing.
        var isOn: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Duplicates a descriptor of the same socket. Nil if there are no descriptors left.
    init?(duplicating descriptor: Descriptor) {
        number = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0)
        if number < 0 { return nil }
    }

    deinit { if number >= 0 { close(number) } }

    /// The error of a connection attempt. 0 if the connection is established.
    var connectionError: Int32 {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno
    }

    func receive(into buffer: inout [UInt8]) -> Received {
        while true {
            let count = recv(number, &buffer, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: return .failed(errno)
            }
        }
    }

    /// Sends bytes without raising SIGPIPE. Returns the number of sent bytes, or the error number.
    func send(_ bytes: ArraySlice<UInt8>) -> (count: Int, error: Int32) {
        bytes.withUnsafeBytes { bytes in
            while true {
                let count = PlacekeeperSystem.send(number, bytes.baseAddress, bytes.count, Platform.noSignal)
                if count >= 0 { return (count, 0) }
                if errno != EINTR { return (0, errno) }
            }
        }
    }

    /// Shuts down both directions immediately, before the descriptor is closed.
    func shutDown() { shutdown(number, Int32(SHUT_RDWR)) }

    static func text(_ error: Int32) -> String { String(cString: strerror(error)) }
}
