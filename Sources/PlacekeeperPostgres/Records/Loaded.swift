import PlacekeeperService

/// Identifies an archive. Archives of different scenes may have the same id.
struct ArchiveKey: Hashable {
    var scene: SceneKey
    var id: ArchiveID

    var values: [Value] { scene.values + [.id(id)] }
}

/// The part of the users' data that a write needs.
struct Scope: Sendable {
    enum Scenes: Sendable {
        case none
        case one(String)
        case all
    }

    var scenes = Scenes.none
    /// Whether the archives of these scenes are needed, with their tombstones, outcomes and servings.
    var archives = false
    /// Whether tokens, installations and link codes are needed.
    var access = false
    /// Whether the change log is needed.
    var changes = false

    static func scene(_ name: String) -> Scope { Scope(scenes: .one(name), archives: true) }
    static let everything = Scope(scenes: .all, archives: true, access: true)
}

/// The data that was read for a write, and the versions of its users.
struct Loaded: Sendable {
    struct User: Sendable {
        var version: Int64
        var usage: Usage
        /// The bytes of the texts of the items of each device. Only loaded with all scenes.
        var itemBytes: [DeviceID: Int] = [:]
    }

    var contents = OldMemoryStore.Contents()
    var users: [UserKey: User] = [:]
    /// The server from which the data was read, and the time of the read.
    var server: ServerIdentity?
    var readAt = ContinuousClock.now
    /// The number of each archive's first outcome.
    var firstOutcomes: [ArchiveKey: Int64] = [:]
}
