/// The part of a user's data that rules read. A store loads it piece by piece (`Need`) and may keep it for the user's
/// next rule. Rules change it in place, and record the changes of rows.
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
    /// The latest time that a write for the user stored, if known.
    package var latestTime: Timestamp?
    /// The keyed hash of the user's subject. Nil for an anonymous user.
    package var subject: Digest?
    /// The bytes and the number of archives, as `Usage` counts them.
    package var usage = Usage()
    package var devices: [DeviceID: DeviceState] = [:]
    /// The loaded scenes. Includes scenes that don't exist (`SceneState.exists`).
    package var scenes: [String: SceneState] = [:]
    /// Nil until loaded.
    package var sceneCounts: SceneCounts?

    /// Everything below is loaded for one rule and dropped afterward.
    package var access: Access?
    package var hasAllScenes = false
    package var itemBytes: [DeviceID: Int] = [:]
    /// The decisions about the items of each data source.
    package var links: [String: Set<LinkEnds>] = [:]

    /// Whether the rule changed rows that this state doesn't show, so the next rule must load the state again.
    package internal(set) var isOutdated = false

    /// Rises with each write for the user. A write is stored only if the version is still the one that was loaded.
    package var version: Int64 = 0
    /// The store's own numbers for the user's row and newest change. Rules don't read them.
    package var row: Int64 = 0
    package var newestChange: Int64?

    /// What the current rule changes. Nil if it changes none of the user's rows.
    package internal(set) var pending: Pending?

    package struct Pending: Sendable {
        /// The latest time that the rule stores for the user.
        package var time: Timestamp?
        /// By how much the usage of the user and of the app changes.
        package var growth = Usage()
        package var isNew = false
    }

    package struct DeviceState: Sendable, Hashable {
        /// The user's revision when the device moved here from another user, or 0.
        package var joined: Revision
        /// The user's revision when the device last registered again or was imported, or when it moved after that;
        /// otherwise 0. Sequences are compared only among captures with later revisions, because the device may have
        /// restarted its count.
        package var countsSince: Revision

        package init(joined: Revision = Revision(rawValue: 0), countsSince: Revision = Revision(rawValue: 0)) {
            self.joined = joined
            self.countsSince = countsSince
        }
    }

    package struct SceneCounts: Sendable, Hashable {
        /// How many scenes the store knows.
        package var known: Int
        /// How many scenes hold archives.
        package var held: Int

        package init(known: Int = 0, held: Int = 0) {
            self.known = known
            self.held = held
        }
    }

    /// Maximum number of scenes that are kept loaded after a rule.
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
        // Every rule of the user goes through all kept scenes, so keep few.
        if scenes.count > Self.keptScenes { scenes = [:] }
        // A request may name any scene, so keep only those that exist.
        if scenes.values.contains(where: { !$0.exists }) { scenes = scenes.filter(\.value.exists) }
        for scene in scenes.values { scene.endRule() }
    }
}

/// The data that decides which devices can reach a user.
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
        /// The device that used the code, if any.
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
