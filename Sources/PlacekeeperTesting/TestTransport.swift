import PlacekeeperConcurrency
package import PlacekeeperClient

/// Sends a virtual device's requests over another transport, with simulated network faults.
package final class TestTransport: Transport {
    private struct State {
        var fault: NetworkFault?
        var next: [NetworkFault] = []
        var requests: [TransportRequest] = []
        var onAnswer: (@Sendable (TransportRequest, TransportResponse) -> Void)?
        /// The closures that end the open event streams, by number.
        var streams: [Int: @Sendable () -> Void] = [:]
        var nextStream = 0
    }

    private let base: any Transport
    private let clock: any ClientClock
    private let activity: Activity?
    private let state = LockBox(State())

    /// Creates a transport to the service in memory.
    package convenience init(_ service: TestService, clock: any ClientClock) {
        self.init(over: MemoryTransport(service: service), clock: clock)
    }

    /// Creates a transport that adds faults to another transport.
    package convenience init(over base: any Transport, clock: any ClientClock) {
        self.init(over: base, clock: clock, activity: nil)
    }

    init(over base: any Transport, clock: any ClientClock, activity: Activity?) {
        self.base = base
        self.clock = clock
        self.activity = activity
    }

    /// The fault of each request. Nil if the network works. A fault ends the open event streams.
    package var fault: NetworkFault? {
        get { state.withLock { $0.fault } }
        set {
            state.withLock { $0.fault = newValue }
            if newValue != nil { endStreams() }
        }
    }

    /// Sets the faults of the next requests. Event streams don't count.
    package func failNext(_ faults: [NetworkFault]) { state.withLock { $0.next += faults } }

    package func failNext(_ faults: NetworkFault...) { failNext(faults) }

    /// Ends all faults.
    package func repair() { state.withLock { ($0.fault, $0.next) = (nil, []) } }

    /// The requests that were sent, in order.
    package var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// Called with each response of the service, which may be lost on its way back.
    package var onAnswer: (@Sendable (TransportRequest, TransportResponse) -> Void)? {
        get { state.withLock { $0.onAnswer } }
        set { state.withLock { $0.onAnswer = newValue } }
    }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try request.check()
        if Task.isCancelled { throw .canceled }
        let fault = state.withLock { state in
            state.requests.append(request)
            return state.next.isEmpty ? state.fault : state.next.removeFirst()
        }
        switch fault?.kind {
        case nil: return try await answer(to: request)
        case .offline, .lostRequest: throw .unreachable("The network is down.")
        case .lostAnswer:
            _ = try await answer(to: request)
            throw .unreachable("The connection was lost.")
        case .tornAnswer:
            var response = try await answer(to: request)
            response.body.removeLast((response.body.count + 1) / 2)
            return response
        case .status(let status): return TransportResponse(status: status)
        case .portal:
            return TransportResponse(
                status: 200, fields: [.init("content-type", "text/html")], body: Array("<html>Sign in</html>".utf8))
        case .never:
            try await wait(request.deadline)
            throw .timedOut
        case .slow(let seconds):
            let response = try await answer(to: request)
            try await wait(min(seconds, request.deadline))
            guard seconds < request.deadline else { throw .timedOut }
            return response
        }
    }

    private func answer(to request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let response = try await base.send(request)
        onAnswer?(request, response)
        return response
    }

    private func wait(_ seconds: Double) async throws(TransportError) {
        await clock.sleep(until: clock.now().uptime + seconds)
        if Task.isCancelled { throw .canceled }
    }

    // MARK: - Streams of events

    package func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) {
        try request.check()
        guard fault == nil else { throw .unreachable("The network is down.") }
        let id = activity?.openStream() ?? 0
        let task = Task { [base, activity] () -> TransportError? in
            defer { activity?.closeStream(id) }
            do throws(TransportError) {
                try await base.stream(request, idleLimit: idleLimit) { bytes in
                    let goesOn = receive(bytes)
                    activity?.receive(bytes, from: id)
                    return goesOn
                }
                return nil
            } catch { return error }
        }
        let end: @Sendable () -> Void = { [activity] in
            activity?.closeStream(id)
            task.cancel()
        }
        let number = state.withLock { state in
            state.nextStream += 1
            state.streams[state.nextStream] = end
            return state.nextStream
        }
        // The network may have failed before the stream could be ended.
        if fault != nil { end() }
        let error = await withTaskCancellationHandler(operation: { await task.value }, onCancel: end)
        state.withLock { $0.streams[number] = nil }
        guard let error else { return }
        throw error == .canceled && !Task.isCancelled ? .unreachable("The connection was lost.") : error
    }

    /// Ends the open event streams.
    func endStreams() {
        let streams = state.withLock { state in
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for end in streams { end() }
    }
}

/// Sends requests to the service in memory.
struct MemoryTransport: Transport {
    let service: TestService
    var address = TestService.loopback

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let response = try await service.answer(request, from: address)
        guard response.body.count <= request.responseLimit else { throw .invalid("The response is too large.") }
        return response
    }

    func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) {
        try await service.stream(request, receive: receive)
    }
}
