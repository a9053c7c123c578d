/// The part of a user's data that rules read. A store loads it in parts (`Need`). Rules change it in place, and note the
/// changes of rows. A store may keep it for the user's next rule.
///
/// Unchecked: one rule at a time uses it.
package final class UserState: @unchecked Sendable {
    package let key: UserKey
    /// Whether the user exists.
    package var exists = false
    package var revision = Revision(rawValue: 0)
    /// Changes up to this revision may have been pruned.
    package var prunedThrough = Revision(rawValue: 0)
    package var createdAt = Timestamp(milliseconds: 0)
    /// The latest time that a write for the user stored, as far as it is known.
    package var latestTime: Timestamp?
    /// The keyed hash of the user's subject. Nil for an anonymous user.
    package var subject: Digest?
    /// The bytes and the number of archives that `Usage` counts.
    package var usage = Usage()
    package var devices: [DeviceID: DeviceState] = [:]
    /// The scenes that are loaded. A scene that does not exist is loaded as such.
    package var scenes: [String: SceneState] = [:]
    /// Nil if the numbers are not loaded.
    package var sceneCounts: SceneCounts?

    /// Everything below is loaded for one rule and dropped afterward.
    package var access: Access?
    package var hasAllScenes = false
    package var itemBytes: [DeviceID: Int] = [:]
    /// The decisions about the items of each data source.
    package var links: [String: Set<LinkEnds>] = [:]

    /// Whether the rule changed rows that the state does not show, so that the next rule needs another state.
    package internal(set) var isOutdated = false

    /// Rises with each write for the user. The store requires the version that it loaded when it stores a write.
    package var version: Int64 = 0
    /// The store's own numbers of the user's row and of the user's newest change. Rules do not read them.
    package var row: Int64 = 0
    package var newestChange: Int64?

    /// What the current rule changes. Nil if it changes no row of the user.
    package internal(set) var pending: Pending?

    package struct Pending: Sendable {
        /// The latest time that the rule stores for the user.
        package var time: Timestamp?
        /// The change of the usage of the user and of the user's app.
        package var growth = Usage()
        package var isNew = false
    }

    package struct DeviceState: Sendable, Hashable {
        /// The user's revision when the device moved to this user from another user, or 0.
        package var joined: Revision
        /// The user's revision when the device last registered again or was imported, or moved after that. 0 if it did not.
        /// Only the sequences of captures with later revisions are compared, because the device may have counted anew.
        package var countsSince: Revision

        package init(joined: Revision = Revision(rawValue: 0), countsSince: Revision = Revision(rawValue: 0)) {
            self.joined = joined
            self.countsSince = countsSince
        }
    }

    package struct SceneCounts: Sendable, Hashable {
        /// The number of scenes that the store knows.
        package var known: Int
        /// The number of scenes that hold archives.
        package var held: Int

        package init(known: Int = 0, held: Int = 0) {
            self.known = known
            self.held = held
        }
    }

    /// The maximum number of scenes that stay loaded after a rule.
    private static let keptScenes = 256

    package init(_ key: UserKey) { self.key = key }

    package var nextRevision: Revision { Revision(rawValue: revision.rawValue + 1) }

    /// Drops everything that was loaded only for the current rule.
    package func endRule() {
        access = nil
        hasAllScenes = false
        if !itemBytes.isEmpty { itemBytes = [:] }
        if !links.isEmpty { links = [:] }
        pending = nil
        // Each rule of the user looks at all kept scenes, so they are few.
        if scenes.count > Self.keptScenes { scenes = [:] }
        // A request may name any scene, so only scenes that exist are kept.
        if scenes.values.contains(where: { !$0.exists }) { scenes = scenes.filter(\.value.exists) }
        for scene in scenes.values { scene.endRule() }
    }
}

/// The parts of a user's data that decide which devices reach it.
package struct Access: Sendable {
    package struct TokenRecord: Sendable, Hashable {
        package var device: DeviceID
        package var access: TokenAccess
        package var expiresAt: Timestamp?

        package init(device: DeviceID, access: TokenAccess, expiresAt: Timestamp? = nil) {
            self.device = device
            self.access = access
            self.expiresAt = expiresAt
        }
    }

    package struct InstallationRecord: Sendable, Hashable {
        package var secret: Digest
        package var device: DeviceID

        package init(secret: Digest, device: DeviceID) {
            self.secret = secret
            self.device = device
        }
    }

    package struct CodeRecord: Sendable, Hashable {
        package var expiresAt: Timestamp
        /// The device that used the code.
        package var usedBy: DeviceID?

        package init(expiresAt: Timestamp, usedBy: DeviceID? = nil) {
            self.expiresAt = expiresAt
            self.usedBy = usedBy
        }
    }

    package var devices: [DeviceID: Device] = [:]
    package var tokens: [Digest: TokenRecord] = [:]
    package var installations: [InstallationID: InstallationRecord] = [:]
    package var codes: [Digest: CodeRecord] = [:]

    package init() {}
}
