import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService

/// Caches the states of users after their recent writes, so a user's next write can be decided without a read. If
/// another write to the user came in between, the version differs, so the transaction fails and the write reads and
/// decides again.
final class UserMemory: Sendable {
    struct Entry: Sendable {
        var user: UserState
        /// The usage of the user's app.
        var usage: Usage
        /// The server that the data came from, and when it was read.
        var server: ServerIdentity?
        var readAt: ContinuousClock.Instant

        /// The number of archives in memory. A user without archives counts as one.
        fileprivate var archives: Int { user.scenes.values.reduce(1) { $0 + $1.history.entries.count } }
    }

    /// When `young` is full, it replaces `old`, whose entries are dropped.
    private struct State {
        var young: [UserKey: Entry] = [:]
        var old: [UserKey: Entry] = [:]
        var archives = 0
    }

    /// The maximum number of users, and of their archives, in `young`.
    private static let limit = (users: 2048, archives: 65_536)
    /// The maximum age of the data. Writes don't refresh the app's usage, so an app may exceed its quota by the writes
    /// of this period.
    private static let lifetime = Duration.seconds(10)

    private let state = LockBox(State())

    /// Removes a user's data, and returns it unless it is too old. It is removed because the write will change it.
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
