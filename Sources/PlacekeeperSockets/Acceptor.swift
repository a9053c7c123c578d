import Dispatch
import Synchronization

/// Accepts connections from the listening socket and assigns them to the workers in turn.
///
/// `@unchecked Sendable`: `queue` guards all state except the atomics.
final class Acceptor: @unchecked Sendable {
    private let descriptor: Int32
    private let limit: Int
    private let kernel: Kernel
    private let queue = DispatchQueue(label: "placekeeper.acceptor")
    private let open = Atomic(0)
    private let accepted = Atomic(0)
    private let isPaused = Atomic(false)
    private var workers: [Worker] = []
    private var nextWorker = 0
    private var source: (any DispatchSourceRead)?

    init(descriptor: Int32, limit: Int, kernel: Kernel) {
        self.descriptor = descriptor
        self.limit = limit
        self.kernel = kernel
    }

    var openCount: Int { open.load(ordering: .relaxed) }
    var acceptedCount: Int { accepted.load(ordering: .relaxed) }

    func start(_ workers: [Worker]) {
        queue.sync {
            self.workers = workers
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { self.accept() }
            self.source = source
            source.activate()
        }
    }

    /// Stops accepting, and closes the listening socket. When it returns, every accepted connection has a worker.
    func stop() async {
        await withCheckedContinuation { continuation in
            queue.async {
                guard let source = self.source else { return continuation.resume() }
                self.source = nil
                self.workers = []
                source.setCancelHandler {
                    System.close(self.descriptor)
                    continuation.resume()
                }
                // Resume the source, because a suspended source would never call its cancel handler.
                if self.isPaused.exchange(false, ordering: .sequentiallyConsistent) { source.resume() }
                source.cancel()
            }
        }
    }

    /// Records that a connection was closed. Any worker may call this function.
    func connectionClosed() {
        open.subtract(1, ordering: .sequentiallyConsistent)
        if isPaused.load(ordering: .sequentiallyConsistent) { queue.async { self.resume() } }
    }

    private func accept() {
        while true {
            guard open.load(ordering: .sequentiallyConsistent) < limit else {
                pause()
                // Check the limit again, because a connection may have closed before its worker could see the pause.
                if open.load(ordering: .sequentiallyConsistent) < limit { resume() }
                return
            }
            switch kernel.accept(descriptor) {
            case .connection(let descriptor, let peer): handOver(descriptor, peer)
            case .wouldBlock: return
            case .aborted: continue
            case .exhausted:
                pause()
                // Try again after a second, because another part of the process may free a descriptor without a call to
                // `connectionClosed`.
                return queue.asyncAfter(deadline: .now() + .seconds(1)) { self.resume() }
            }
        }
    }

    private func handOver(_ descriptor: Int32, _ peer: SocketAddress) {
        open.add(1, ordering: .sequentiallyConsistent)
        accepted.add(1, ordering: .relaxed)
        // A server has at least one worker. `stop` empties `workers` on this queue and cancels the source in the same
        // turn, so no event comes afterward.
        workers[nextWorker].post(.adopt(descriptor: descriptor, peer: peer.host))
        nextWorker = (nextWorker + 1) % workers.count
    }

    /// Pauses accepting by suspending the source. The listening socket remains readable, so an active source would call
    /// its handler in a loop.
    private func pause() {
        isPaused.store(true, ordering: .sequentiallyConsistent)
        source?.suspend()
    }

    private func resume() {
        guard isPaused.exchange(false, ordering: .sequentiallyConsistent) else { return }
        source?.resume()
    }
}
