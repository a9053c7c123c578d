import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService

/// Serializes the writes for each user within this process, so a write can lose a race only to another process
/// (`Failure.lostRace`). Writes for different users don't wait for each other.
final class UserWriteLocks: Sendable {
    private struct State {
        /// The users with a write in progress, each with the numbers of the waiting writes in order of arrival.
        var queues: [UserKey: [Int]] = [:]
        var waiting: [Int: (end: ContinuousClock.Instant, caller: CheckedContinuation<Bool, Never>)] = [:]
        var lastNumber = 0
    }

    private let state = LockBox(State())
    private let limit: Int
    private let ticker = Ticker("turns")

    /// - Parameter limit: the maximum number of waiting writes. Further writes are rejected.
    init(limit: Int) { self.limit = limit }

    /// Runs a write once it has the turn of all its users, unless the deadline comes first.
    func run<Value>(
        for owners: Set<UserKey>, until end: ContinuousClock.Instant, _ write: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // All writes use the same order, so they never deadlock.
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

    /// Fails the writes past their deadlines. Returns whether any writes wait.
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

    /// Ends a user's write, and starts the next one.
    private func end(_ owner: UserKey) {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            while let number = state.queues[owner]?.first {
                state.queues[owner]?.removeFirst()
                // Skip writes that gave up: their continuations are gone.
                if let next = state.waiting.removeValue(forKey: number) { return next.caller }
            }
            state.queues[owner] = nil
            return nil
        }
        next?.resume(returning: true)
    }
}
