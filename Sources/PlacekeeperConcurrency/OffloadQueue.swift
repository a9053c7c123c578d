import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An offload queue: threads for long work, which must not block a connection's worker or Swift's shared thread pool.
///
/// Each request belongs to an owner, usually a user, and owners take turns. A step is the part of a request's work
/// between two waits. An owner's next step waits for at most one step of each other owner. Long work without waits
/// calls `pause`, which suspends a step whose time is up. The number of admitted requests is limited per owner and in
/// total. When a request is canceled, its work leaves the queue (docs/decisions/0065-offloaded-work-is-admitted.md).
package final class OffloadQueue<Owner: Hashable & Sendable>: Sendable {
    /// The default number of threads: one per core but at least two, so one request can't delay all others.
    package static var defaultWidth: Int { max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// A part of a request's work between two waits.
    struct Step: Sendable {
        var ticket: Int
        var owner: Owner
        /// Whether this resumes a suspended step on that step's own thread.
        var resumes = false
        var run: @Sendable () -> Void
    }

    /// The step that a thread is running. `@unchecked Sendable`: used only by the thread itself.
    private final class Turn: @unchecked Sendable {
        var step: Step?
        var end = ContinuousClock.now
    }

    private struct Thread: Sendable {
        let queue = DispatchQueue(label: "placekeeper.offload")
        let turn = Turn()

        init(_ key: DispatchSpecificKey<Turn>) { queue.setSpecific(key: key, value: turn) }
    }

    private struct State {
        var steps = FairQueue<Owner, Step>()
        /// The waiting steps of canceled requests. They run first, because all they do is end their request.
        var cancelled = FirstInFirstOut<Step>()
        var idle: [Thread]
        /// How many steps `pause` has suspended. Each holds a thread beyond the queue's width.
        var suspended = 0
        /// The owner of each admitted request, by ticket.
        var owners: [Int: Owner] = [:]
        /// The number of admitted requests per owner.
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
    private let turn: Duration
    private let clock = ContinuousClock()
    private let current = DispatchSpecificKey<Turn>()

    /// - Parameters:
    ///   - limit: The maximum number of admitted requests.
    ///   - turn: The time after which `pause` suspends a step if others are waiting.
    package init(
        width: Int = OffloadQueue.defaultWidth, limit: Int = 1024, turn: Duration = .milliseconds(2)
    ) {
        state = LockBox(State(idle: (0..<width).map { [current] _ in Thread(current) }))
        self.limit = limit
        self.turn = turn
    }

    /// The number of admitted requests that haven't ended.
    package var admitted: Int { state.withLock(\.owners.count) }

    /// The number of steps waiting for a thread.
    var waitingSteps: Int { state.withLock { $0.steps.count + $0.cancelled.count } }

    /// Returns a ticket for an owner's request. Nil if the owner, or all owners together, have too many admitted
    /// requests.
    ///
    /// An owner's share is an eighth of the free room, at least one request and at most `largestShare`. The fuller the
    /// queue, the smaller the share, so that room remains for new owners.
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

    /// The maximum number of admitted requests per owner, even if the queue is empty.
    static var largestShare: Int { 32 }

    func dismiss(_ ticket: Int) { state.withLock { $0.dismiss(ticket) } }

    /// Cancels a request: frees its room, and lets its waiting steps run first.
    func cancel(_ ticket: Int, of owner: Owner) {
        state.withLock { state in
            state.dismiss(ticket)
            for step in state.steps.takeAll(of: owner, where: { $0.ticket == ticket }) { state.cancelled.append(step) }
        }
    }

    func enqueue(_ step: Step) {
        let thread = state.withLock { state in
            state.steps.append(step, of: step.owner)
            return state.idle.popLast()
        }
        if let thread { start(thread) }
    }

    // Each thread has its own serial queue. Concurrent queues would share the limited threads of Dispatch's pool.
    private func start(_ thread: Thread) { thread.queue.async { self.work(on: thread) } }

    private func work(on thread: Thread) {
        while let step = next(for: thread) {
            thread.turn.step = step
            thread.turn.end = clock.now + turn
            step.run()
            thread.turn.step = nil
            // The resumed step's thread takes this thread's place.
            if step.resumes { return }
        }
    }

    /// Returns the next step. If none is waiting, marks `thread` as idle and returns nil.
    private func next(for thread: Thread) -> Step? {
        state.withLock { state in
            if let step = state.cancelled.take() ?? state.steps.take() { return step }
            state.idle.append(thread)
            return nil
        }
    }
}

extension OffloadQueue {
    /// The maximum number of suspended steps. Each holds a thread and memory. While this many are suspended, other
    /// steps run without a pause.
    private static var mostSuspended: Int { 6 }

    /// Lets other steps run if the calling step's time is up and others are waiting. Long work without waits calls this
    /// several times per millisecond. Does nothing on threads outside the queue.
    ///
    /// A suspended step keeps its thread, and another thread runs the queue's next steps. The suspended step continues
    /// before its owner's other steps, so that an owner with many requests has few suspended steps.
    package func pause() {
        guard let mine = DispatchQueue.getSpecific(key: current), let step = mine.step, clock.now >= mine.end else {
            return
        }
        let resumed = DispatchSemaphore(value: 0)
        let isSuspended = state.withLock { state in
            guard !state.steps.isEmpty || !state.cancelled.isEmpty, state.suspended < Self.mostSuspended else {
                return false
            }
            state.suspended += 1
            let rest = Step(ticket: step.ticket, owner: step.owner, resumes: true) { resumed.signal() }
            state.steps.prepend(rest, of: step.owner)
            return true
        }
        if isSuspended {
            start(Thread(current))
            resumed.wait()
            state.withLock { $0.suspended -= 1 }
        }
        mine.end = clock.now + turn
    }
}
