package import HTTPCodec
import Synchronization

/// An HTTP/1.1 server on TCP: sockets, event loops, limits and deadlines around a responder.
///
/// It listens from its creation on, answers from `start` on, and lives until it was drained.
package final class HTTPServer: Sendable {
    private enum Phase { case created, started, drained }

    /// Where it listens, with the port that it was given.
    package let address: SocketAddress

    private let acceptor: Acceptor
    let workers: [Worker]
    private let budget: ByteBudget
    private let phase = Mutex(Phase.created)

    package convenience init(
        configuration: Configuration = Configuration(), responder: any Responder
    ) throws(TransportError) {
        try self.init(configuration: configuration, responder: responder, kernel: .linux)
    }

    init(configuration: Configuration, responder: any Responder, kernel: Kernel) throws(TransportError) {
        let (descriptor, address) = try System.listen(at: configuration.address, backlog: configuration.backlog)
        do throws(TransportError) {
            let budget = ByteBudget(limit: configuration.bufferLimit)
            let acceptor = Acceptor(descriptor: descriptor, limit: configuration.connectionLimit, kernel: kernel)
            var workers: [Worker] = []
            for number in 0..<configuration.workers {
                workers.append(
                    try Worker(
                        number: number, configuration: configuration, responder: responder, budget: budget,
                        acceptor: acceptor))
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
            precondition(phase == .created, "a server starts once")
            phase = .started
        }
        for worker in workers { worker.start() }
        acceptor.start(workers)
    }

    /// Stops: takes no more connections, closes the idle ones, lets the others finish what is in flight, and closes
    /// what is left after `duration`. Returns when no connection is open. The first call counts.
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

    /// Lets the deadlines come nearer by `duration`: for tests, which do not wait.
    func advanceClock(by duration: Duration) async {
        await postToAll { .advance(ticks: Ticks.count(duration), $0) }
    }

    /// The same at the end of the turn that each worker is in.
    func advanceClockAfterTurn(by duration: Duration) {
        for worker in workers { worker.post(.advance(ticks: Ticks.count(duration), nil)) }
    }

    /// Hands each worker a message, and waits until they resume it.
    private func postToAll(_ message: @escaping @Sendable (CheckedContinuation<Void, Never>) -> Inbox.Message) async {
        await withTaskGroup { group in
            for worker in workers {
                group.addTask { await withCheckedContinuation { worker.post(message($0)) } }
            }
        }
    }
}
