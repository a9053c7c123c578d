import PlacekeeperConcurrency
import PlacekeeperService

/// Remembers the data that an upload to a scene read, as the data is after the upload. The next upload to the scene is
/// decided without a read. If another write to the user came in between, the user has another version. Then the
/// transaction of the upload fails, and the upload reads and decides again.
final class SceneMemory: Sendable {
    private struct Entry {
        var scene: SceneKey
        var loaded: Loaded
    }

    /// The entries of each user. A user has one entry, because an upload changes the version of the whole user. When `young`
    /// is full, it becomes `old`, and the entries that were `old` are forgotten.
    private struct State {
        var young: [UserKey: Entry] = [:]
        var old: [UserKey: Entry] = [:]
    }

    private static let limit = 2048
    /// The maximum age of the data. Uploads do not renew the usage of the app, so an app's quota may be exceeded by the
    /// uploads of this time.
    private static let lifetime = Duration.seconds(10)

    private let state = LockBox(State())

    /// Forgets the data of a user. Returns the data if it is of the scene and not too old.
    func take(_ owner: UserKey, _ scene: SceneKey?) -> Loaded? {
        let entry = state.withLock { state in
            let old = state.old.removeValue(forKey: owner)
            return state.young.removeValue(forKey: owner) ?? old
        }
        guard let entry, entry.scene == scene, entry.loaded.readAt + Self.lifetime > .now else { return nil }
        return entry.loaded
    }

    /// Remembers the data that an upload read.
    ///
    /// - Parameters:
    ///   - contents: the data after the upload.
    ///   - isWritten: whether the upload raised the version of the user.
    func keep(
        _ loaded: Loaded, after contents: OldMemoryStore.Contents, isWritten: Bool, in scene: SceneKey
    ) {
        let owner = scene.owner
        // The first version of a new user is not known.
        guard var user = loaded.users[owner], var record = contents.users[owner] else { return }
        if isWritten { user.version += 1 }
        user.usage = record.usage
        record.changes = []
        if var stored = record.scenes[scene.name] {
            for index in stored.archives.indices where !stored.archives[index].bytes.isEmpty {
                stored.archives[index].bytes = []
            }
            record.scenes[scene.name] = stored
        }
        var kept = loaded
        kept.contents.devices = contents.devices
        kept.contents.joinedRevisions = contents.joinedRevisions
        kept.contents.users = [owner: record]
        kept.users = [owner: user]
        let entry = Entry(scene: scene, loaded: kept)
        state.withLock { state in
            if state.young.count >= Self.limit { (state.old, state.young) = (state.young, [:]) }
            state.young[owner] = entry
        }
    }
}
