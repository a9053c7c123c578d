import PlacekeeperSystem
import PlacekeeperConcurrency
import Foundation

/// A server on a loopback socket that follows a script: right or wrong, on each connection with a thread of its own.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (Peer) -> Void

    struct Failure: Error {
        var call: String
        var number: Int32
    }

    private struct State {
        var script: Script
        var open: Set<Int32> = []
        var peers: [Peer] = []
        var requests: [String] = []
        var isStopped = false
    }

    let port: UInt16
    private let listener: Int32
    private let state: LockBox<State>

    /// - Parameter script: Runs on each connection. The connection is closed at the end of the script.
    init(_ script: @escaping Script) throws {
        (listener, port) = try Self.bind()
        guard listen(listener, 128) == 0 else { throw Failure(call: "listen", number: errno) }
        state = LockBox(State(script: script))
        Thread.detachNewThread { [self] in accept() }
    }

    /// The heads of the requests, in the order of their arrival.
    var requests: [String] { state.withLock { $0.requests } }
    var connectionCount: Int { state.withLock { $0.peers.count } }
    var openCount: Int { state.withLock { $0.open.count } }
    /// The number of bytes that all connections sent.
    var sentCount: Int { state.withLock { $0.peers.reduce(0) { $0 + $1.sent } } }

    /// Sets the script of further connections.
    func setScript(_ script: @escaping Script) { state.withLock { $0.script = script } }

    /// Waits until a condition holds.
    func wait(until condition: (ScriptedServer) -> Bool) async {
        while !condition(self) { await Task.yield() }
    }

    /// Returns a socket with a loopback address, and its port.
    fileprivate static func bind() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = Platform.makeSocket(AF_INET, blocks: true)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                PlacekeeperSystem.bind(descriptor, address, length) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else { throw Failure(call: "bind", number: errno) }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Closes the listener and all connections, so that all threads end.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
            shutdown(listener, Int32(SHUT_RDWR))
        }
    }

    private func accept() {
        while true {
            let descriptor = PlacekeeperSystem.accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            let (peer, script) = state.withLock { state in
                let peer = Peer(descriptor, number: state.peers.count + 1) { [weak self] request in
                    self?.state.withLock { $0.requests.append(request) }
                }
                state.peers.append(peer)
                state.open.insert(descriptor)
                if state.isStopped { shutdown(descriptor, Int32(SHUT_RDWR)) }
                return (peer, state.script)
            }
            Thread.detachNewThread { [self] in
                script(peer)
                state.withLock { state in
                    state.open.remove(descriptor)
                    close(descriptor)
                }
            }
        }
        close(listener)
    }
}

/// A port on which nobody listens. The port stays reserved until it is released.
struct UnusedPort {
    let number: UInt16
    private let descriptor: Int32

    init() throws { (descriptor, number) = try ScriptedServer.bind() }

    func release() { close(descriptor) }
}

/// Runs `body` with a server that follows a script, and then stops the server.
func withServer<Result>(
    _ script: @escaping ScriptedServer.Script, _ body: (ScriptedServer) async throws -> Result
) async throws -> Result {
    let server = try ScriptedServer(script)
    defer { server.stop() }
    return try await body(server)
}
