import RestorationService

/// What uploads are decided by, of users whose scenes were lately written: the next upload need not read it. It holds as
/// long as SQLite counts no changes but those that it was told of, and no commits by others
/// (docs/decisions/0062-uploads-are-decided-from-memory.md).
struct SceneMemory {
    /// A class, since all scenes of a user share its row. Unchecked: it is used on the writer's queue only.
    final class User: @unchecked Sendable {
        var row: UserRow
        var scenes: [String: Scene] = [:]
        /// Some of its devices that uploaded lately.
        private(set) var devices: Set<DeviceID> = []
        /// Archives in `scenes`; each scene, and the user, counts as some more.
        fileprivate var weight = 8

        init(_ row: UserRow) { self.row = row }

        func insert(_ device: DeviceID) {
            if devices.count == 16 { devices.removeAll() }
            devices.insert(device)
        }
    }

    /// A class, so that its history is changed where it is. Unchecked: it is used on the writer's queue only.
    final class Scene: @unchecked Sendable {
        let id: Int64
        let forgotten: CaptureOrder.Forgotten?
        var history: History
        /// As it counts in its user's weight.
        fileprivate var weight = 0

        init(id: Int64, forgotten: CaptureOrder.Forgotten?, history: History) {
            self.id = id
            self.forgotten = forgotten
            self.history = history
        }
    }

    private var users = GenerationalCache<UserKey, User>(capacity: SceneMemory.capacity)
    /// Rows that the connection had changed when this was last told.
    private var changes = 0
    /// SQLite's count of others' commits.
    private var version: Int64 = 0

    /// What one generation weighs; each unit is about a hundred bytes.
    private static let capacity = 1 << 16

    mutating func user(_ key: UserKey) -> User? { users.value(for: key) }

    /// Holds a scene as it now is.
    mutating func insert(_ scene: Scene, named name: String, of user: User, _ key: UserKey) {
        let weight = scene.history.entries.count + 4
        user.weight += weight - scene.weight
        scene.weight = weight
        if user.scenes[name] == nil { user.scenes[name] = scene }
        users.insert(user, for: key, weight: user.weight)
    }

    mutating func forget(_ key: UserKey) { users.remove(key) }

    mutating func forgetAll() { users.removeAll() }

    /// Forgets everything if the connection changed rows that this was not told of.
    mutating func verify(changes: Int) {
        if changes != self.changes { forgetAll() }
        self.changes = changes
    }

    /// Forgets everything if others committed.
    mutating func verify(version: Int64) {
        if version != self.version { forgetAll() }
        self.version = version
    }

    /// Tells of changes after which all that is held is still so.
    mutating func account(for changes: Int) { self.changes = changes }
}
