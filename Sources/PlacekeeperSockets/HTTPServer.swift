import Dispatch
package import PlacekeeperHTTP
import Synchronization

/// An HTTP/1.1 server on TCP: sockets, event loops, limits and deadlines around a responder.
///
/// The server listens as soon as it is created, responds after `start`, and stays in memory until it has shut down.
package final class HTTPServer: Sendable {
    private enum Phase { case created, started, drained }

    /// The address that the server listens on, with the actual port.
    package let address: SocketAddress

    private let acceptor: Acceptor
    let workers: [Worker]
    private let budget: ByteBudget
    private let phase = Mutex(Phase.created)

    package convenience init(
        configuration: Configuration = Configuration(), responder: any Responder
    ) throws(TransportError) {
        try self.init(configuration: configuration, responder: responder, kernel: .system)
    }

    init(configuration: Configuration, responder: any Responder, kernel: Kernel) throws(TransportError) {
        let (descriptor, address) = try System.listen(at: configuration.address, backlog: configuration.backlog)
        do throws(TransportError) {
            let budget = ByteBudget(limit: configuration.bufferLimit)
            let acceptor = Acceptor(descriptor: descriptor, limit: configuration.connectionLimit, kernel: kernel)
            var workers: [Worker] = []
            for number in 0..<configuration.workers {
                let queue = DispatchQueue(label: "placekeeper.worker.\(number)")
                workers.append(
                    Worker(
                        configuration: configuration, responder: responder, budget: budget, acceptor: acceptor,
                        poller: try configuration.poller.makePoller(queue)))
            }
            self.address = address
            self.acceptor = acceptor
            self.workers = workers
            self.budget = budget
        } catch {
            System.close(descriptor)
            throw error
        }
    }

    package func start() {
        phase.withLock { phase in
            // `serve` starts its only server once, and drains it only after that.
            precondition(phase == .created, "a server can be started only once")
            phase = .started
        }
        for worker in workers { worker.start() }
        acceptor.start(workers)
    }

    /// Replaces the responder of a running server. Open connections stay open. Requests that arrive after this function
    /// returned are answered by the new responder.
    package func use(_ responder: any Responder) async { await postToAll { .use(responder, $0) } }

    /// Shuts the server down gracefully: it stops accepting connections, closes idle ones, and finishes the requests in
    /// progress. After `duration`, it closes the remaining connections. Returns when no connection is open. A second
    /// call returns immediately.
    package func drain(within duration: Duration) async {
        let wasStarted = phase.withLock { phase in
            defer { phase = .drained }
            return phase == .started
        }
        guard wasStarted else { return }
        await acceptor.stop()
        await postToAll { .drain(ticks: Ticks.count(duration), $0) }
    }

    package var statistics: Statistics {
        Statistics(
            openConnections: acceptor.openCount, acceptedConnections: acceptor.acceptedCount,
            requests: workers.reduce(0) { $0 + $1.requestCount.load(ordering: .relaxed) },
            bufferedBytes: budget.usedBytes)
    }

    /// Advances the clock of the deadlines by `duration`, so tests needn't wait.
    func advanceClock(by duration: Duration) async {
        await postToAll { .advance(ticks: Ticks.count(duration), $0) }
    }

    /// Advances the clock at the end of each worker's current turn.
    func advanceClockAfterTurn(by duration: Duration) {
        for worker in workers { worker.post(.advance(ticks: Ticks.count(duration), nil)) }
    }

    /// Sends a message to each worker, and waits until every worker has resumed its continuation.
    private func postToAll(_ message: @escaping @Sendable (CheckedContinuation<Void, Never>) -> Inbox.Message) async {
        await withTaskGroup { group in
            for worker in workers {
                group.addTask { await withCheckedContinuation { worker.post(message($0)) } }
            }
        }
    }
}
