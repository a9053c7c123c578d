import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService

/// Lets the writes for one user take turns within this process, so that only writes of other processes can be first
/// (`Failure.lostRace`). Writes for different users do not wait for each other.
final class UserWriteLocks: Sendable {
    private struct State {
        /// The users with a write in progress, each with the numbers of the waiting writes in their order of arrival.
        var queues: [UserKey: [Int]] = [:]
        var waiting: [Int: (end: ContinuousClock.Instant, caller: CheckedContinuation<Bool, Never>)] = [:]
        var lastNumber = 0
    }

    private let state = LockBox(State())
    private let limit: Int
    private let ticker = Ticker("turns")

    /// - Parameter limit: the maximum number of waiting writes. Further writes are refused.
    init(limit: Int) { self.limit = limit }

    /// Runs a write when it is its turn for all its users, unless the end comes before.
    func run<Value>(
        for owners: Set<UserKey>, until end: ContinuousClock.Instant, _ write: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // The order is the same for all writes, so that two writes never wait for each other.
        let sorted = owners.sorted { ($0.app, $0.user) < ($1.app, $1.user) }
        var taken: [UserKey] = []
        defer { for owner in taken { self.end(owner) } }
        for owner in sorted {
            guard await begin(owner, until: end) else {
                throw .store(StoreError(.unavailable, "Too many writes for one user wait for the database."))
            }
            taken.append(owner)
        }
        return try await write()
    }

    private enum Turn: Sendable {
        case now
        case refused
        case waits
    }

    private func begin(_ owner: UserKey, until end: ContinuousClock.Instant) async -> Bool {
        await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let turn = state.withLock { state -> Turn in
                guard state.queues[owner] != nil else {
                    state.queues[owner] = []
                    return .now
                }
                guard state.waiting.count < limit else { return .refused }
                state.lastNumber += 1
                state.queues[owner]?.append(state.lastNumber)
                state.waiting[state.lastNumber] = (end, continuation)
                return .waits
            }
            switch turn {
            case .now: continuation.resume(returning: true)
            case .refused: continuation.resume(returning: false)
            case .waits: ticker.start(expire)
            }
        }
    }

    /// Fails the writes whose ends have passed. Returns whether writes wait.
    @Sendable private func expire() -> Bool {
        let now = ContinuousClock.now
        let (gone, isBusy) = state.withLock { state in
            let gone = state.waiting.filter { $0.value.end <= now }
            for number in gone.keys { state.waiting[number] = nil }
            return (gone.values.map(\.caller), !state.waiting.isEmpty)
        }
        for caller in gone { caller.resume(returning: false) }
        return isBusy
    }

    /// Ends a user's write, and lets the next write begin.
    private func end(_ owner: UserKey) {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            while let number = state.queues[owner]?.first {
                state.queues[owner]?.removeFirst()
                // A write that gave up has no continuation any more.
                if let next = state.waiting.removeValue(forKey: number) { return next.caller }
            }
            state.queues[owner] = nil
            return nil
        }
        next?.resume(returning: true)
    }
}
