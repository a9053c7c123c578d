package import PlacekeeperService

extension OldMemoryStore {
    /// The data of some users. A database loads the users that a write concerns, lets this store carry the write out, and
    /// stores the differences, so that both stores have the same rules (docs/decisions/0083-postgresql.md).
    ///
    /// The archives need no bytes, and only their sizes count. Items, decisions, logs and administrators are left out.
    package struct Contents: Sendable {
        package var devices: [DeviceID: Device] = [:]
        package var tokens: [Digest: TokenRecord] = [:]
        package var installations: [InstallationKey: (secret: Digest, device: DeviceID)] = [:]
        package var joinedRevisions: [DeviceID: Revision] = [:]
        package var linkCodes: [Digest: LinkCode] = [:]
        package var usedLinkCodes: [Digest: DeviceID] = [:]
        package var users: [UserKey: UserRecord] = [:]
        /// The usage of each app without the users in `users`.
        package var usageElsewhere: [AppID: Usage] = [:]

        package init() {}
    }

    /// The amounts of a user's data that was not loaded.
    package struct Elsewhere: Sendable, Hashable {
        package var usage = Usage()
        /// The number of scenes.
        package var scenes = 0
        /// The number of scenes that hold archives.
        package var heldScenes = 0

        package init() {}
    }

    package var contents: Contents {
        var contents = Contents()
        contents.devices = devices
        contents.tokens = tokens
        contents.installations = installations
        contents.joinedRevisions = joinedRevisions
        contents.linkCodes = linkCodes
        contents.usedLinkCodes = usedLinkCodes
        contents.users = users
        return contents
    }
}

extension OldMemoryStore.UserRecord {
    /// The number of scenes that the store knows.
    package var sceneCount: Int { scenes.count + elsewhere.scenes }
    /// The number of scenes that hold archives.
    package var heldSceneCount: Int { scenes.values.count { $0.head != nil } + elsewhere.heldScenes }
    /// The archives and snapshots, and the items that were not loaded.
    package var usage: Usage { scenes.values.reduce(elsewhere.usage) { $0 + $1.usage } }
}
