import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService

/// Remembers the states of users with recent writes, as they are after the write, so that a user's next write is decided
/// without a read. If another write to the user came in between, the user has another version. Then the transaction fails,
/// and the write reads and decides again.
final class UserMemory: Sendable {
    struct Entry: Sendable {
        var user: UserState
        /// The usage of the user's app.
        var usage: Usage
        /// The server from which the data was read, and the time of the read.
        var server: ServerIdentity?
        var readAt: ContinuousClock.Instant

        /// The number of archives in memory. A user without archives counts as one.
        fileprivate var archives: Int { user.scenes.values.reduce(1) { $0 + $1.history.entries.count } }
    }

    /// When `young` is full, it becomes `old`, and the entries that were `old` are forgotten.
    private struct State {
        var young: [UserKey: Entry] = [:]
        var old: [UserKey: Entry] = [:]
        var archives = 0
    }

    /// The maximum numbers of users and of their archives in `young`.
    private static let limit = (users: 2048, archives: 65_536)
    /// The maximum age of the data. Writes do not renew the usage of the app, so an app's quota may be exceeded by the
    /// writes of this time.
    private static let lifetime = Duration.seconds(10)

    private let state = LockBox(State())

    /// Forgets the data of a user, and returns it if it is not too old. A write that is decided on it changes it.
    func take(_ owner: UserKey) -> Entry? {
        let entry = state.withLock { state in
            let old = state.old.removeValue(forKey: owner)
            guard let young = state.young.removeValue(forKey: owner) else { return old }
            state.archives -= young.archives
            return young
        }
        guard let entry, entry.readAt + Self.lifetime > .now else { return nil }
        return entry
    }

    func keep(_ entry: Entry) {
        let archives = entry.archives
        state.withLock { state in
            if state.young.count >= Self.limit.users || state.archives >= Self.limit.archives {
                (state.old, state.young, state.archives) = (state.young, [:], 0)
            }
            state.young[entry.user.key] = entry
            state.archives += archives
        }
    }
}
