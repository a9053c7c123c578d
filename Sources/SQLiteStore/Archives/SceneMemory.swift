import RestorationService

/// Caches the facts by which the store decides uploads, for users with recent writes, so that the next upload need not
/// read these facts. The cache is valid if every changed row that SQLite counts was reported to the cache, and if
/// SQLite counts no new commits of other connections (docs/decisions/0062-uploads-are-decided-from-memory.md).
struct SceneMemory {
    /// `User` is a class, because all scenes of a user share the user's row. Unchecked: a user is used only on the
    /// writer's queue.
    final class User: @unchecked Sendable {
        var row: UserRow
        var scenes: [String: Scene] = [:]
        /// Up to 16 of the user's devices that uploaded recently.
        private(set) var devices: Set<DeviceID> = []
        /// The number of archives in `scenes`, plus a fixed amount for the user and for each scene.
        fileprivate var weight = 8

        init(_ row: UserRow) { self.row = row }

        func insert(_ device: DeviceID) {
            if devices.count == 16 { devices.removeAll() }
            devices.insert(device)
        }
    }

    /// `Scene` is a class, so that its history is changed in place. Unchecked: a scene is used only on the writer's
    /// queue.
    final class Scene: @unchecked Sendable {
        let id: Int64
        let forgotten: CaptureOrder.Forgotten?
        var history: History
        /// The scene's share of its user's weight.
        fileprivate var weight = 0

        init(id: Int64, forgotten: CaptureOrder.Forgotten?, history: History) {
            self.id = id
            self.forgotten = forgotten
            self.history = history
        }
    }

    private var users = GenerationalCache<UserKey, User>(capacity: SceneMemory.capacity)
    /// The connection's count of changed rows (`totalChanges`) that was last passed to the cache.
    private var changes = 0
    /// SQLite's count of other connections' commits.
    private var version: Int64 = 0

    /// The maximum weight of one generation of the cache. One unit of weight is about a hundred bytes.
    private static let capacity = 1 << 16

    mutating func user(_ key: UserKey) -> User? { users.value(for: key) }

    /// Inserts or updates a scene.
    mutating func insert(_ scene: Scene, named name: String, of user: User, _ key: UserKey) {
        let weight = scene.history.entries.count + 4
        user.weight += weight - scene.weight
        scene.weight = weight
        if user.scenes[name] == nil { user.scenes[name] = scene }
        users.insert(user, for: key, weight: user.weight)
    }

    mutating func forget(_ key: UserKey) { users.remove(key) }

    mutating func forgetAll() { users.removeAll() }

    /// Empties the cache if the connection changed rows that were not reported to the cache.
    mutating func verify(changes: Int) {
        if changes != self.changes { forgetAll() }
        self.changes = changes
    }

    /// Empties the cache if another connection committed.
    mutating func verify(version: Int64) {
        if version != self.version { forgetAll() }
        self.version = version
    }

    /// Reports changes that leave the cache valid.
    mutating func account(for changes: Int) { self.changes = changes }
}
