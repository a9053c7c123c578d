import PlacekeeperService

/// Caches, for each user with recent uploads, the facts by which the store decides uploads, so that the user's next
/// upload does not read these facts from the database. The cache is valid if every changed row that SQLite counts was
/// reported to the cache, and if SQLite counts no new commits of other connections
/// (docs/decisions/0062-uploads-are-decided-from-memory.md).
struct SceneMemory {
    /// `User` is a class, because all scenes of a user share the user's row. Unchecked: a `User` object is used only on
    /// the writer's queue.
    final class User: @unchecked Sendable {
        var row: UserRow
        var scenes: [String: Scene] = [:]
        /// At most 16 devices that uploaded recently and are known to belong to the user.
        private(set) var devices: Set<DeviceID> = []
        /// The number of archives in `scenes`, plus a fixed amount for the user and for each scene.
        fileprivate var weight = 8
        /// Whether `insert` kept this object. An object that the cache dropped is not used again.
        fileprivate var isCached = false

        init(_ row: UserRow) { self.row = row }

        func insert(_ device: DeviceID) {
            if devices.count == 16 { devices.removeAll() }
            devices.insert(device)
        }
    }

    /// `Scene` is a class, so that its history is changed in place. Unchecked: a `Scene` object is used only on the
    /// writer's queue.
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
    /// SQLite's count of other connections' commits that was last passed to the cache.
    private var version: Int64 = 0

    /// The maximum weight of one generation of the cache. One unit of weight is about a hundred bytes.
    private static let capacity = 1 << 16

    mutating func user(_ key: UserKey) -> User? { users.value(for: key) }

    /// Inserts a scene if it is not cached yet, and updates the weights of the scene and its user.
    mutating func insert(_ scene: Scene, named name: String, of user: User, _ key: UserKey) {
        let weight = scene.history.entries.count + 4
        // A cached scene that is full keeps its weight.
        if weight == scene.weight, user.isCached, user.scenes[name] === scene { return }
        user.weight += weight - scene.weight
        scene.weight = weight
        if user.scenes[name] == nil { user.scenes[name] = scene }
        users.insert(user, for: key, weight: user.weight)
        user.isCached = true
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

    /// Records the connection's count of changed rows after changes that leave the cache valid.
    mutating func account(for changes: Int) { self.changes = changes }
}
