import PlacekeeperCore
import PlacekeeperService

/// Keeps the states of users with recent writes, so that a user's next write reads nothing from the database.
///
/// A kept state is right because all writes of this process pass through the one writer. Rules change the state with the rows,
/// deltas change its usage, and every other write that changes a user's rows forgets the user. Commits of other processes
/// empty the cache (docs/decisions/0090-one-write-model.md).
struct UserCache {
    private var users = GenerationalCache<UserKey, UserState>(capacity: UserCache.capacity)

    /// The maximum weight of one generation of the cache. One unit of weight is about two hundred bytes.
    private static let capacity = 1 << 16

    mutating func user(_ key: UserKey) -> UserState? { users.value(for: key) }

    mutating func insert(_ user: UserState) { users.insert(user, for: user.key, weight: user.weight) }

    mutating func forget(_ key: UserKey) { users.remove(key) }

    mutating func forgetAll() { users.removeAll() }
}

extension UserState {
    fileprivate var weight: Int {
        scenes.values.reduce(8 + devices.count / 4) { $0 + $1.history.entries.count + 8 }
    }
}
