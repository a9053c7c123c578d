import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An offload queue: threads for work that may take long. Such work must not block a connection's worker or Swift's
/// shared thread pool.
///
/// The owner of a request is a user, and users take turns. A step is the part of a request's work between two waits.
/// The next step of a user waits for at most one step of each other user. The number of admitted requests is limited
/// for each user and in total. The work of a canceled request leaves the queue
/// (docs/decisions/0065-offloaded-work-is-admitted.md).
package final class OffloadQueue<Owner: Hashable & Sendable>: Sendable {
    /// The default number of threads: one for each core, and at least two, so that one request cannot delay all others.
    package static var defaultWidth: Int { max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// A part of a request's work between two waits.
    struct Step: Sendable {
        var ticket: Int
        var run: @Sendable () -> Void
    }

    private struct State {
        var steps = FairQueue<Owner, Step>()
        /// The waiting steps of canceled requests. These steps run first, because each step only ends its request.
        var cancelled = FirstInFirstOut<Step>()
        var idle: [DispatchQueue]
        /// The owner of each admitted request, by ticket.
        var owners: [Int: Owner] = [:]
        /// The number of admitted requests of each owner.
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

    /// - Parameter limit: The maximum number of requests that are admitted at once.
    package init(width: Int = OffloadQueue.defaultWidth, limit: Int = 1024) {
        // The queues are serial, because concurrent queues would share the limited threads of Dispatch's pool.
        let queues = (0..<width).map { DispatchQueue(label: "placekeeper.offload.\($0)") }
        state = LockBox(State(idle: queues))
        self.limit = limit
    }

    /// The number of admitted requests that have not ended.
    package var admitted: Int { state.withLock(\.owners.count) }

    /// The number of steps that wait for a thread.
    var waitingSteps: Int { state.withLock { $0.steps.count + $0.cancelled.count } }

    /// Returns a ticket for a request of a user. Nil if the user, or all users together, have too many admitted
    /// requests. One user may have at most an eighth of the free room (but always one request, and at most
    /// `largestShare`), so that further users find room even if many users fill the queue.
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

    /// The maximum number of requests of one user that are admitted at once, even if the queue is empty.
    static var largestShare: Int { 32 }

    func dismiss(_ ticket: Int) { state.withLock { $0.dismiss(ticket) } }

    /// Cancels a request: frees its room, and runs its waiting steps first.
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

    /// Returns the next step. If no step waits, marks `queue` as idle and returns nil.
    private func next(for queue: DispatchQueue) -> Step? {
        state.withLock { state in
            if let step = state.cancelled.take() ?? state.steps.take() { return step }
            state.idle.append(queue)
            return nil
        }
    }
}
