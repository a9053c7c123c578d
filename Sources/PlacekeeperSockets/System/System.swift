import PlacekeeperSystem

/// The system calls of the transport. Interrupted calls are repeated. Results distinguish calls that would block from
/// calls that failed. An error that only a bug in this code can cause ends the process.
enum System {
    enum Received {
        case bytes(Int)
        case end
        case wouldBlock
        case failed
    }

    enum Sent {
        case bytes(Int)
        case wouldBlock
        case failed
    }

    enum Accepted {
        case connection(Int32, peer: SocketAddress)
        case wouldBlock
        /// The process or the system has run out of descriptors or memory.
        case exhausted
        /// The connection was lost before it was accepted (accept(2) reports the connection's errors).
        case aborted
    }

    static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Received {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: return failed(errno, .failed)
            }
        }
    }

    /// Whether the peer has closed its side and everything it sent has been read.
    static func hasFinished(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 0
    }

    /// Sends bytes without raising SIGPIPE. Set `more` if more bytes follow immediately.
    static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, more: Bool = false) -> Sent {
        let flags = Platform.noSignal | (more ? Platform.moreFollows : 0)
        while true {
            let count = PlacekeeperSystem.send(descriptor, bytes.baseAddress, bytes.count, flags)
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: return failed(errno, .failed)
            }
        }
    }

    static func accept(_ listener: Int32) -> Accepted {
        while true {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withUnsafeMutablePointer(to: &storage) { storage in
                // `sockaddr_storage` starts like `sockaddr`, and `length` is its size.
                storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { Platform.accept(listener, $0, &length) }
            }
            if descriptor >= 0 { return .connection(descriptor, peer: SocketAddress(storage)) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: return failed(errno, .aborted)
            }
        }
    }

    static func shutdownWriting(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes a descriptor. Must not be repeated: on Linux, the descriptor is closed even if the call fails.
    static func close(_ descriptor: Int32) { _ = PlacekeeperSystem.close(descriptor) }

    /// Returns `result`, but ends the process at an error that means a wrong descriptor or buffer. Otherwise, the next
    /// call with this descriptor could affect another connection.
    private static func failed<Result>(_ number: Int32, _ result: Result) -> Result {
        // A peer can't cause these errors: every call gets an open connection or the listening socket, and memory that
        // outlives the call.
        precondition(number != EBADF && number != EFAULT && number != EINVAL && number != ENOTSOCK)
        return result
    }
}

/// The system calls that tests may replace, because a test can't make the kernel return some errors of accept.
struct Kernel: Sendable {
    var accept: @Sendable (_ listener: Int32) -> System.Accepted

    static let system = Kernel(accept: System.accept)
}
