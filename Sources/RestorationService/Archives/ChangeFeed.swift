import Concurrency

/// Wakes those who follow a user's changes. The change log is the truth: a wake only says that it is worth reading.
package final class ChangeFeed: Sendable {
    /// Wakes, of which several that came while none was awaited are one.
    package typealias Wakes = AsyncStream<Void>

    private struct State {
        var next: UInt64 = 0
        var followers: [UserKey: [UInt64: Wakes.Continuation]] = [:]
    }

    private let limit: Int
    private let state = LockBox(State())

    /// - Parameter limit: followers of one user at a time.
    package init(limit: Int = 64) { self.limit = limit }

    /// Wakes of one user until the sequence is dropped or cancelled; nil when too many follow the user already.
    package func follow(_ owner: UserKey) -> Wakes? {
        let (wakes, continuation) = Wakes.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> UInt64? in
            guard state.followers[owner, default: [:]].count < limit else { return nil }
            state.next += 1
            state.followers[owner, default: [:]][state.next] = continuation
            return state.next
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in self?.unsubscribe(owner, number) }
        return wakes
    }

    /// To be called after a commit.
    package func wake(_ owner: UserKey) {
        // Resumed outside the lock: a follower may end there, and then leaves.
        let followers = state.withLock { state in state.followers[owner].map { Array($0.values) } ?? [] }
        for follower in followers { follower.yield() }
    }

    /// To be called when something changed that cannot be told: another process wrote, or an app's settings changed.
    package func wakeAll() {
        let followers = state.withLock { state in state.followers.values.flatMap(\.values) }
        for follower in followers { follower.yield() }
    }

    /// Ends every sequence, as when the server drains.
    package func finish() {
        let followers = state.withLock { state in state.followers.values.flatMap(\.values) }
        for follower in followers { follower.finish() }
    }

    package var count: Int { state.withLock { state in state.followers.values.reduce(0) { $0 + $1.count } } }

    private func unsubscribe(_ owner: UserKey, _ number: UInt64) {
        state.withLock { state in
            state.followers[owner]?[number] = nil
            if state.followers[owner]?.isEmpty == true { state.followers[owner] = nil }
        }
    }
}
