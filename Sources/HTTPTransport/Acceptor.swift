import Dispatch
import Synchronization

/// Takes connections off the listening socket and hands them to the workers in turn.
///
/// `@unchecked Sendable`: `queue` guards everything but the atomics.
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

    /// Takes nothing more. What is taken has been handed over when this returns.
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
                // A suspended source would never be told.
                if self.isPaused.exchange(false, ordering: .sequentiallyConsistent) { source.resume() }
                source.cancel()
            }
        }
    }

    /// Called from any worker.
    func connectionClosed() {
        open.subtract(1, ordering: .sequentiallyConsistent)
        if isPaused.load(ordering: .sequentiallyConsistent) { queue.async { self.resume() } }
    }

    private func accept() {
        while true {
            guard open.load(ordering: .sequentiallyConsistent) < limit else {
                pause()
                // One may have closed before it could see the pause.
                if open.load(ordering: .sequentiallyConsistent) < limit { resume() }
                return
            }
            switch kernel.accept(descriptor) {
            case .connection(let descriptor, let peer): handOver(descriptor, peer)
            case .wouldBlock: return
            case .aborted: continue
            case .exhausted:
                pause()
                // What frees a descriptor need not be a connection of ours.
                return queue.asyncAfter(deadline: .now() + .seconds(1)) { self.resume() }
            }
        }
    }

    private func handOver(_ descriptor: Int32, _ peer: SocketAddress) {
        open.add(1, ordering: .sequentiallyConsistent)
        accepted.add(1, ordering: .relaxed)
        workers[nextWorker].post(.adopt(descriptor: descriptor, peer: peer.host))
        nextWorker = (nextWorker + 1) % workers.count
    }

    /// The listening socket stays readable: not to be asked again is the only way not to spin.
    private func pause() {
        isPaused.store(true, ordering: .sequentiallyConsistent)
        source?.suspend()
    }

    private func resume() {
        guard isPaused.exchange(false, ordering: .sequentiallyConsistent) else { return }
        source?.resume()
    }
}
