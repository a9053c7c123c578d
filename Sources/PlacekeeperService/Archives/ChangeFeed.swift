import PlacekeeperConcurrency
package import PlacekeeperCore

/// Wakes the followers of a user's or an app's changes. A wake carries no data: followers read the changes from the
/// change log.
package final class ChangeFeed: Sendable {
    /// A sequence of wakes. Wakes that arrive while the follower is busy are merged into one.
    package typealias Wakes = AsyncStream<Void>

    private struct State {
        var next: UInt64 = 0
        var followers: [UserKey: [UInt64: Wakes.Continuation]] = [:]
    }

    private let limit: Int
    private let state = LockBox(State())

    /// - Parameter limit: the maximum number of followers per user.
    package init(limit: Int = 64) { self.limit = limit }

    /// Returns a sequence of a user's wakes, or nil if the user already has the maximum number of followers. Dropping
    /// or canceling the sequence ends the subscription.
    package func follow(_ owner: UserKey) -> Wakes? { follow(owner, limit: limit) }

    /// Returns a sequence of the wakes of an app's users, or nil if the app already has `Limits.appFollowers`
    /// followers.
    package func follow(_ app: AppID) -> Wakes? { follow(.everyone(of: app), limit: Limits.appFollowers) }

    private func follow(_ owner: UserKey, limit: Int) -> Wakes? {
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

    /// Wakes the followers of a user and of the user's app. Call this method after the user's write is committed.
    package func wake(_ owner: UserKey) { wake([owner]) }

    /// Wakes the followers of users and of their apps, each once.
    func wake(_ owners: [UserKey]) { yield(Set(owners).union(owners.map { .everyone(of: $0.app) })) }

    /// Wakes the followers of an app.
    func wake(_ app: AppID) { yield([.everyone(of: app)]) }

    private func yield(_ owners: Set<UserKey>) {
        // Call `yield` outside the lock: a follower may end during the call, and `unsubscribe` needs the lock.
        let followers = state.withLock { state -> [Wakes.Continuation] in
            guard !state.followers.isEmpty else { return [] }
            return owners.flatMap { state.followers[$0].map { Array($0.values) } ?? [] }
        }
        for follower in followers { follower.yield() }
    }

    /// Wakes all followers. Use it when the affected users are unknown, for example because another process wrote to
    /// the store or an app's settings changed.
    package func wakeAll() {
        let followers = state.withLock { state in state.followers.values.flatMap(\.values) }
        for follower in followers { follower.yield() }
    }

    /// Ends every sequence, for example during graceful shutdown.
    package func finish() {
        let followers = state.withLock { state in state.followers.values.flatMap(\.values) }
        for follower in followers { follower.finish() }
    }

    /// The users and apps (`UserKey.everyone(of:)`) that have followers.
    package var followed: [UserKey] { state.withLock { Array($0.followers.keys) } }

    package var count: Int { state.withLock { state in state.followers.values.reduce(0) { $0 + $1.count } } }

    private func unsubscribe(_ owner: UserKey, _ number: UInt64) {
        state.withLock { state in
            state.followers[owner]?[number] = nil
            if state.followers[owner]?.isEmpty == true { state.followers[owner] = nil }
        }
    }
}
