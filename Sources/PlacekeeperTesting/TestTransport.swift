import Concurrency
package import PlacekeeperClient

/// The faults of a network between a virtual device and the service.
public struct NetworkFault: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case offline, lostRequest, lostAnswer, status(Int), portal, never
    }

    let kind: Kind

    /// There is no connection.
    public static let offline = NetworkFault(kind: .offline)
    /// The request does not reach the service.
    public static let lostRequest = NetworkFault(kind: .lostRequest)
    /// The service carries the request out, and its answer is lost.
    public static let lostAnswer = NetworkFault(kind: .lostAnswer)
    /// A proxy answers with a status.
    public static func status(_ status: Int) -> NetworkFault { NetworkFault(kind: .status(status)) }
    /// A captive portal answers with a page and the status 200.
    public static let captivePortal = NetworkFault(kind: .portal)
    /// The request is never answered.
    public static let never = NetworkFault(kind: .never)
}

/// Sends the requests of a virtual device over another transport, with the faults of a network.
package final class TestTransport: Transport {
    private struct State {
        var fault: NetworkFault?
        var next: [NetworkFault] = []
        var requests: [TransportRequest] = []
    }

    private let base: any Transport
    private let clock: any ClientClock
    private let state = LockBox(State())

    /// Creates a transport to the service in memory.
    package convenience init(_ service: TestService, clock: any ClientClock) {
        self.init(over: MemoryTransport(service: service), clock: clock)
    }

    /// Creates a transport that adds faults to another transport.
    package init(over base: any Transport, clock: any ClientClock) {
        self.base = base
        self.clock = clock
    }

    /// The fault of each request. Nil if the network works.
    package var fault: NetworkFault? {
        get { state.withLock { $0.fault } }
        set { state.withLock { $0.fault = newValue } }
    }

    /// The faults of the next requests.
    package func failNext(_ faults: NetworkFault...) { state.withLock { $0.next += faults } }

    /// Ends all faults.
    package func repair() { state.withLock { ($0.fault, $0.next) = (nil, []) } }

    /// The requests that were sent, in order.
    package var requests: [TransportRequest] { state.withLock { $0.requests } }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try request.check()
        if Task.isCancelled { throw .canceled }
        let fault = state.withLock { state in
            state.requests.append(request)
            return state.next.isEmpty ? state.fault : state.next.removeFirst()
        }
        switch fault?.kind {
        case nil: return try await base.send(request)
        case .offline, .lostRequest: throw .unreachable("The network is down.")
        case .lostAnswer:
            _ = try await base.send(request)
            throw .unreachable("The connection was lost.")
        case .status(let status): return TransportResponse(status: status)
        case .portal:
            return TransportResponse(
                status: 200, fields: [.init("content-type", "text/html")], body: Array("<html>Sign in</html>".utf8))
        case .never:
            await clock.sleep(until: clock.now().uptime + request.deadline)
            throw Task.isCancelled ? .canceled : .timedOut
        }
    }

    package func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) {
        try request.check()
        guard fault == nil else { throw .unreachable("The network is down.") }
        try await base.stream(request, idleLimit: idleLimit, receive: receive)
    }
}

/// Sends requests to the service in memory.
private struct MemoryTransport: Transport {
    let service: TestService

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let response = try await service.answer(request)
        guard response.body.count <= request.responseLimit else { throw .invalid("The response is too large.") }
        return response
    }

    func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) {
        try await service.stream(request, receive: receive)
    }
}
