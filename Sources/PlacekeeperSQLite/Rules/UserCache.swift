import PlacekeeperCore
import PlacekeeperService

/// Caches the states of users with recent writes, so a user's next write reads nothing from the database.
///
/// A cached state is always current because all writes of this process go through one writer. A write by a rule
/// (`carryOut(_:_:)`) updates the state together with the rows. A delta of items updates only the state's usage and
/// version. Any other write that changes data of a state drops the state from the cache. Commits of other processes
/// empty the cache (docs/decisions/0090-one-write-model.md).
struct UserCache {
    private var users = GenerationalCache<UserKey, UserState>(capacity: UserCache.capacity)

    /// The maximum weight of one generation of the cache. A unit of weight is about 200 bytes.
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
