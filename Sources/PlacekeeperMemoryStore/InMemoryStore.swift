package import PlacekeeperCore
package import PlacekeeperService

/// A store in memory, for tests of the service and for an app's tests with several devices.
package actor InMemoryStore: Store {
    var registeredApps: [AppID: App] = [:]
    var devices: [DeviceID: Device] = [:]
    var tokens: [Digest: Access.TokenRecord] = [:]
    var installations: [InstallationKey: (secret: Digest, device: DeviceID)] = [:]
    /// What rules read about each device.
    var deviceStates: [DeviceID: UserState.DeviceState] = [:]
    var linkCodes: [Digest: LinkCode] = [:]
    /// The device that used each link code.
    var usedLinkCodes: [Digest: DeviceID] = [:]
    var users: [UserKey: UserRecord] = [:]
    var lists: [ItemList: [RegistryRecord]] = [:]
    var decisions: [ItemList: [Link]] = [:]
    var counters: [Counter: Int] = [:]
    var auditLog: [AuditEntry] = []
    /// The entries of the restore log with their positions, oldest first.
    var restoreLog: [(position: Int64, entry: RestoreLogEntry)] = []
    var restoreLogPosition: Int64 = 0
    var administrators: [AdministratorID: StoredAdministrator] = [:]
    var sessions: [Digest: AdminSession] = [:]
    var apiTokens: [APITokenID: (token: APIToken, digest: Digest)] = [:]
    /// The changes of all users, oldest first, including dropped ones. A change's position in the log of all changes is
    /// its index plus 1.
    private(set) var allChanges: [(owner: UserKey, change: Change)] = []
    /// Each user's last revision in `allChanges`.
    private var numberedRevisions: [UserKey: Revision] = [:]
    private let secret: [UInt8]

    private let versions = UserVersions(count: 4096)
    var appUsages: [AppID: Usage] = [:]

    package init() {
        var generator = SystemRandomNumberGenerator()
        secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Returns a write's result with its invalidations, and raises the versions of the affected users.
    func commit<Value>(_ value: Value, _ invalidations: Invalidations) -> Committed<Value> {
        versions.apply(invalidations)
        for owner in invalidations.users { number(owner) }
        return Committed(value, invalidations)
    }

    /// Appends a user's new changes to the log of all changes.
    private func number(_ owner: UserKey) {
        let changes = users[owner]?.changes ?? []
        let last = numberedRevisions[owner] ?? Revision(rawValue: 0)
        allChanges += changes.reversed().prefix { $0.revision > last }.reversed().map { (owner, $0) }
        // An erased user may be imported again with the same revisions.
        numberedRevisions[owner] = users[owner].map { _ in changes.last?.revision ?? last }
    }

    package func userVersion(of owner: UserKey) -> UserVersion { versions.userVersion(of: owner) }
    package nonisolated func knownUserVersion(of owner: UserKey) -> UserVersion? { versions.userVersion(of: owner) }

    /// Returns no invalidations, because no other process can write to this store.
    package func externalInvalidations(following owners: [UserKey]) -> Invalidations { .none }

    struct InstallationKey: Hashable {
        var app: AppID
        var id: InstallationID
    }

    struct UserRecord {
        /// The keyed hash of the subject and the sealed subject, or nil for an anonymous user.
        var subject: (digest: Digest, sealed: [UInt8])?
        var createdAt: Timestamp
        var latest = Revision(rawValue: 0)
        /// The latest time stored by a write for the user.
        private(set) var latestTime: Timestamp?
        /// The size and number of archives.
        var usage = Usage()
        /// The first and last day with a report of a successful restore in the restore log.
        var restoreDays: ClosedRange<Int64>?
        var changes: [Change] = []
        /// The greatest revision among the dropped changes.
        var prunedThrough = Revision(rawValue: 0)
        var scenes: [String: SceneRecord] = [:]

        /// When a device of the user was last seen, or when the user was created.
        var seenAt: Timestamp
        /// The user's bytes when `recordSeen` was last called for a device of the user.
        var seenBytes = 0

        init(createdAt: Timestamp = Timestamp(milliseconds: 0)) { (self.createdAt, seenAt) = (createdAt, createdAt) }

        mutating func note(_ time: Timestamp) { latestTime = max(latestTime ?? time, time) }
    }

    struct SceneRecord {
        /// The archives in descending order of position, starting with the head.
        var archives: [StoredArchive] = []
        var tombstones: [ArchiveID: Timestamp] = [:]
        /// The archive last served to each of the user's devices.
        var servedLast: [DeviceID: ArchiveID] = [:]
        /// The archives whose deletion can be undone, with the times of deletion.
        var deleted: [ArchiveID: (stored: StoredArchive, at: Timestamp)] = [:]
        var forgotten: CaptureOrder.Forgotten?

        var head: Archive? { archives.first?.archive }

        func index(of id: ArchiveID) -> Int? { archives.firstIndex { $0.archive.id == id } }

        /// Removes an archive from the history and returns it.
        mutating func take(_ id: ArchiveID) -> StoredArchive? { index(of: id).map { archives.remove(at: $0) } }

        /// Makes undoable deletions that fulfill a condition permanent.
        mutating func endDeletions(where isEnded: (StoredArchive, Timestamp) -> Bool) {
            for (id, deletion) in deleted where isEnded(deletion.stored, deletion.at) {
                deleted[id] = nil
                servedLast = servedLast.filter { $0.value != id }
            }
        }

        mutating func insert(_ stored: StoredArchive) {
            let position = stored.archive.position
            let index = archives.firstIndex { $0.archive.position < position } ?? archives.endIndex
            archives.insert(stored, at: index)
        }
    }

    /// An archive with its bytes, screenshot, outcomes and servings.
    struct StoredArchive {
        var archive: Archive
        var bytes: [UInt8]
        var screenshot: Screenshot?
        var outcomes: [Outcome] = []
        /// When each device was first served the archive.
        var served: [DeviceID: Timestamp] = [:]

        init(archive: Archive, bytes: [UInt8]) {
            self.archive = archive
            self.bytes = bytes
        }

        var usage: Usage { Usage(bytes: archive.size + (screenshot?.bytes.count ?? 0), archives: 1) }
    }

    // Apps

    package func create(_ app: App) throws(StoreError) {
        guard !registeredApps.values.contains(where: { $0.bundleIdentifier == app.bundleIdentifier }) else {
            throw StoreError(.exists, "an app with this bundle identifier exists")
        }
        registeredApps[app.id] = app
    }

    package func remove(_ app: AppID) -> Committed<Bool> {
        guard !users.keys.contains(where: { $0.app == app }) else { return commit(false, .none) }
        registeredApps[app] = nil
        appUsages[app] = nil
        restoreLog.removeAll { $0.entry.app == app }
        return commit(true, .settings(true))
    }

    package func apps() -> [App] { registeredApps.values.sorted { $0.bundleIdentifier < $1.bundleIdentifier } }

    package func app(_ selector: AppSelector) -> App? {
        switch selector {
        case .id(let id): registeredApps[id]
        case .bundleIdentifier(let name): registeredApps.values.first { $0.bundleIdentifier == name }
        case .publishableKey(let key): registeredApps.values.first { $0.publishableKey == key }
        }
    }

    package func replaceSettings(
        of app: AppID, with settings: App.Settings, replacing expected: App.Settings?
    ) -> Committed<Bool> {
        guard let known = registeredApps[app]?.settings, expected.map({ $0 == known }) ?? true else {
            return commit(false, .none)
        }
        registeredApps[app]?.settings = settings
        return commit(true, .settings(true))
    }

    package func lookupSecret() -> [UInt8] { secret }
}
