import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A few threads for what may block: neither a connection's worker nor the pool that everything else shares is held up by
/// it. Whoever comes next is taken on by the thread that is free first.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package final class ApartExecutor: TaskExecutor {
    package static let shared = ApartExecutor(width: width)
    /// One for each core; at least two, so that no single question makes all others wait.
    package static let width = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    private struct State {
        /// Those before `next` were taken.
        var waiting: [UnownedJob] = []
        var next = 0
        var idle: [DispatchQueue]

        /// What came first of what waits. The room of those that were taken is given back when they are half of it.
        mutating func take() -> UnownedJob? {
            guard next < waiting.count else { return nil }
            defer {
                next += 1
                if next * 2 > waiting.count {
                    waiting.removeFirst(next)
                    next = 0
                }
            }
            return waiting[next]
        }
    }

    private let state: LockBox<State>

    init(width: Int) {
        // Serial ones: those that are concurrent share the threads of the pool.
        let queues = (0..<width).map { DispatchQueue(label: "placekeeper.apart.\($0)") }
        state = LockBox(State(idle: queues))
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let queue = state.withLock { state in
            state.waiting.append(job)
            return state.idle.popLast()
        }
        if let queue { queue.async { self.run(on: queue) } }
    }

    /// Runs whatever waits, the first that came first.
    private func run(on queue: DispatchQueue) {
        while let job = next(for: queue) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// The next job; without one, the queue is idle from here on.
    private func next(for queue: DispatchQueue) -> UnownedJob? {
        state.withLock { state in
            if let job = state.take() { return job }
            state.idle.append(queue)
            return nil
        }
    }
}
