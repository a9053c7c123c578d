import PlacekeeperConcurrency
import PlacekeeperClient
import PlacekeeperSocketTransport

/// The network of a device: a transport that can be switched off.
final class SwitchedTransport: Transport {
    private let base: SocketTransport
    private let on = LockBox(true)

    init(_ base: SocketTransport) { self.base = base }

    var isOn: Bool { on.withLock { $0 } }

    func turn(on isOn: Bool) { on.withLock { $0 = isOn } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard isOn else { throw .unreachable("The network is off.") }
        return try await base.send(request)
    }

    func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) {
        guard isOn else { throw .unreachable("The network is off.") }
        // When the network is off, the next piece of an open stream is lost, and ends the stream.
        try await base.stream(request, idleLimit: idleLimit) { [on] in on.withLock { $0 } && receive($0) }
    }
}
