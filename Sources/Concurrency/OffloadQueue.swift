import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Threads for work that may take long: neither a connection's worker nor the pool that everything else shares is held
/// up by such work.
///
/// Users take turns: each step of a user's work, from one wait to the next, waits behind one step of each other user at
/// most. How much work is admitted is limited for each user and in all, and the work of a request that was cancelled
/// leaves the queue (docs/decisions/0065-offloaded-work-is-admitted.md).
package final class OffloadQueue<Owner: Hashable & Sendable>: Sendable {
    /// One thread for each core; at least two, so that no single request makes all others wait.
    package static var defaultWidth: Int { max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// A part of a request's work that runs without a wait.
    struct Step: Sendable {
        var ticket: Int
        var run: @Sendable () -> Void
    }

    private struct State {
        var steps = FairQueue<Owner, Step>()
        /// The steps that waited when their request was cancelled. They go first, since all that is left is to end it.
        var cancelled = FirstInFirstOut<Step>()
        var idle: [DispatchQueue]
        /// The admitted requests by their tickets, and how many of them each user has.
        var owners: [Int: Owner] = [:]
        var counts: [Owner: Int] = [:]
        var lastTicket = 0

        mutating func dismiss(_ ticket: Int) {
            guard let owner = owners.removeValue(forKey: ticket) else { return }
            let count = counts[owner, default: 0] - 1
            counts[owner] = count > 0 ? count : nil
        }
    }

    private let state: LockBox<State>
    private let limit: Int

    /// - Parameter limit: the requests that are admitted at once.
    package init(width: Int = OffloadQueue.defaultWidth, limit: Int = 1024) {
        // Serial queues: concurrent ones share the threads of the pool.
        let queues = (0..<width).map { DispatchQueue(label: "placekeeper.offload.\($0)") }
        state = LockBox(State(idle: queues))
        self.limit = limit
    }

    /// How many requests are admitted and have not ended.
    package var admitted: Int { state.withLock(\.owners.count) }

    /// How many steps wait for a thread.
    var waitingSteps: Int { state.withLock { $0.steps.count + $0.cancelled.count } }

    /// A ticket for a request of a user; nil when the user, or all users together, have too many. A user may have an
    /// eighth of the room that is left: when many users fill the queue, another user still finds room.
    func admit(_ owner: Owner) -> Int? {
        state.withLock { state in
            let left = limit - state.owners.count
            guard left > 0, state.counts[owner, default: 0] < min(Self.largestShare, max(1, left / 8)) else {
                return nil
            }
            state.lastTicket += 1
            state.owners[state.lastTicket] = owner
            state.counts[owner, default: 0] += 1
            return state.lastTicket
        }
    }

    /// The requests of one user that are admitted at once, however empty the queue is.
    static var largestShare: Int { 32 }

    func dismiss(_ ticket: Int) { state.withLock { $0.dismiss(ticket) } }

    /// Makes room for another request, and lets the waiting steps of this one go first.
    func cancel(_ ticket: Int, of owner: Owner) {
        state.withLock { state in
            state.dismiss(ticket)
            for step in state.steps.takeAll(of: owner, where: { $0.ticket == ticket }) { state.cancelled.append(step) }
        }
    }

    func enqueue(_ step: Step, of owner: Owner) {
        let queue = state.withLock { state in
            state.steps.append(step, of: owner)
            return state.idle.popLast()
        }
        if let queue { queue.async { self.work(on: queue) } }
    }

    private func work(on queue: DispatchQueue) {
        while let step = next(for: queue) { step.run() }
    }

    /// The next step; without one, the queue is idle from here on.
    private func next(for queue: DispatchQueue) -> Step? {
        state.withLock { state in
            if let step = state.cancelled.take() ?? state.steps.take() { return step }
            state.idle.append(queue)
            return nil
        }
    }
}
