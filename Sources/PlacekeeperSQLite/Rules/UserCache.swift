import PlacekeeperCore
import PlacekeeperService

/// Keeps the states of users with recent writes, so that a user's next write reads nothing from the database.
///
/// A kept state is right because all writes of this process pass through the one writer: rules change the state with the rows,
/// and other writes that change a user's rows forget the user. Commits of other processes empty the cache. A write that
/// forgot to do so would be noticed: it raises the user's version, and a rule stores its changes only at the version of its
/// state (docs/decisions/0090-one-write-model.md).
struct UserCache {
    private var users = GenerationalCache<UserKey, UserState>(capacity: UserCache.capacity)
    /// SQLite's count of other connections' commits that was last passed to the cache.
    private var foreignVersion: Int64 = 0

    /// The maximum weight of one generation of the cache. One unit of weight is about two hundred bytes.
    private static let capacity = 1 << 16

    mutating func user(_ key: UserKey) -> UserState? { users.value(for: key) }

    mutating func insert(_ user: UserState) { users.insert(user, for: user.key, weight: user.weight) }

    mutating func forget(_ key: UserKey) { users.remove(key) }

    mutating func forgetAll() { users.removeAll() }

    /// Empties the cache if another connection committed.
    mutating func verify(version: Int64) {
        if version != foreignVersion { forgetAll() }
        foreignVersion = version
    }
}

extension UserState {
    fileprivate var weight: Int {
        scenes.values.reduce(8 + devices.count / 4) { $0 + $1.history.entries.count + 8 }
    }
}
