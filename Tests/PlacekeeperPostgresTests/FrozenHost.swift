import PlacekeeperConcurrency
import PlacekeeperSystem
import Testing

/// A host that accepts connections, because the kernel does, and never answers: like a server whose processes are
/// stopped, or whose disk hangs.
final class FrozenHost: Sendable {
    let port: Int
    private let listener: Int32
    private let accepted = LockBox<[Int32]>([])

    /// - Parameter listens: without it, the port refuses connections.
    init(listens: Bool = true) throws {
        let listener = Platform.makeSocket(AF_INET, blocks: false)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && (!listens || listen(listener, 64) == 0)
                    && getsockname(listener, $0, &length) == 0
            }
        }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        try #require(isBound)
    }

    deinit {
        for socket in accepted.withLock(\.self) { close(socket) }
        close(listener)
    }

    /// The number of connections so far.
    var connections: Int {
        accepted.withLock { sockets in
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { return sockets.count }
                sockets.append(socket)
            }
        }
    }
}
