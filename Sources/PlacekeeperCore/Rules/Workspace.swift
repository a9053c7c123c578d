/// The states that a rule reads and changes, and the row changes that it decided. A store loads what the rule needs and
/// carries out the changes.
///
/// A rule asks for everything it reads before its first change (`Interruption.needs`). So an interrupted rule has
/// changed nothing, and can run again.
package struct Workspace: Sendable {
    /// The loaded users, including users that don't exist (`UserState.exists`).
    package private(set) var users: [UserState] = []
    package private(set) var owners: [OwnerLookup: UserKey?] = [:]
    private var usages: [(app: AppID, usage: Usage)] = []
    /// The row changes, in order.
    package private(set) var changes: [RowChange] = []
    /// The users whose rows the rule changes (`UserState.pending`).
    package private(set) var written: [UserState] = []
    package internal(set) var invalidations = Invalidations.none
    private var heads: [HeadChange.Key: HeadChange] = [:]

    package init() {}

    /// The changes to the index of heads. A store carries them out after the row changes.
    package var headChanges: [HeadChange] { heads.values.filter { $0.old != $0.new } }

    /// Clears the workspace for the next rule.
    package mutating func endRule() {
        for user in users { user.endRule() }
        users.removeAll(keepingCapacity: true)
        written.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
        if !owners.isEmpty { owners = [:] }
        usages.removeAll(keepingCapacity: true)
        if !heads.isEmpty { heads = [:] }
        invalidations = .none
    }

    // Loading

    package mutating func add(_ user: UserState) { users.append(user) }
    package mutating func add(_ owner: UserKey?, for lookup: OwnerLookup) { owners[lookup] = .some(owner) }
    package mutating func add(_ usage: Usage, of app: AppID) { usages.append((app, usage)) }

    /// Returns a user if loaded.
    package func user(_ key: UserKey) -> UserState? { users.first { $0.key == key } }

    package func isLoaded(_ need: Need) -> Bool {
        switch need {
        case .user(let key): user(key) != nil
        case .access(let key): user(key)?.access != nil
        case .sceneCounts(let key): user(key)?.sceneCounts != nil
        case .scene(let key): scene(key) != nil
        case .scenes(let key): user(key)?.hasAllScenes ?? false
        case .tombstone(let id, let key): scene(key)?.tombstones.knows(id) ?? false
        case .details(let id, let key): scene(key)?.details[id] != nil
        case .deletions(let key): scene(key)?.deletions != nil
        case .itemBytes(let device, let key): user(key)?.itemBytes[device] != nil
        case .links(let list): user(list.owner)?.links[list.dataSource] != nil
        case .usage(let app): knownUsage(of: app) != nil
        case .owner(let lookup): owners[lookup] != nil
        }
    }

    private func scene(_ key: SceneKey) -> SceneState? { user(key.owner)?.scenes[key.name] }

    // Reading, for rules

    /// Interrupts the rule unless all of the data is loaded.
    func require(_ needs: [Need]) throws(Interruption) {
        let missing = needs.filter { !isLoaded($0) }
        guard missing.isEmpty else { throw .needs(missing) }
    }

    func known(_ key: UserKey) throws(Interruption) -> UserState {
        guard let user = user(key) else { throw .needs([.user(key)]) }
        return user
    }

    func access(_ key: UserKey) throws(Interruption) -> Access {
        guard let access = user(key)?.access else { throw .needs([.user(key), .access(key)]) }
        return access
    }

    func known(_ key: SceneKey) throws(Interruption) -> SceneState {
        guard let scene = scene(key) else { throw .needs([.user(key.owner), .scene(key)]) }
        return scene
    }

    func details(_ id: ArchiveID, in scene: SceneState) throws(Interruption) -> ArchiveDetails? {
        guard let details = scene.details[id] else { throw .needs([.details(id, scene.key)]) }
        return details
    }

    func sceneCounts(of user: UserState) throws(Interruption) -> UserState.SceneCounts {
        guard let counts = user.sceneCounts else { throw .needs([.sceneCounts(user.key)]) }
        return counts
    }

    func usage(of app: AppID) throws(Interruption) -> Usage {
        guard let usage = knownUsage(of: app) else { throw .needs([.usage(app)]) }
        return usage
    }

    package func knownUsage(of app: AppID) -> Usage? { usages.first { $0.app == app }?.usage }

    func owner(_ lookup: OwnerLookup) throws(Interruption) -> UserKey? {
        guard let owner = owners[lookup] else { throw .needs([.owner(lookup)]) }
        return owner
    }

    func quotaFacts(of user: UserState) throws(Interruption) -> QuotaFacts {
        QuotaFacts(user: user.usage, isSignedIn: user.subject != nil, app: try usage(of: user.key.app))
    }

    // Changing, for rules

    mutating func note(_ change: RowChange) { changes.append(change) }

    /// Marks the user's row as changed.
    ///
    /// - Parameter time: a time that the rule stores for the user.
    mutating func touch(_ user: UserState, at time: Timestamp? = nil) {
        if user.pending == nil {
            user.pending = UserState.Pending()
            user.version += 1
            written.append(user)
        }
        if let time {
            let known = user.pending?.time ?? time
            user.pending?.time = max(known, time)
            user.latestTime = max(user.latestTime ?? time, time)
        }
    }

    /// Adds a change to the usage of a user and of the app.
    mutating func count(_ change: Usage, of user: UserState) {
        touch(user)
        let usage = (user.usage + Usage(bytes: change.bytes, archives: change.archives)).clamped
        user.usage = Usage(bytes: usage.bytes, archives: usage.archives)
        user.pending?.growth += change
        if let index = usages.firstIndex(where: { $0.app == user.key.app }) {
            usages[index].usage = (usages[index].usage + change).clamped
        }
    }

    /// Logs a change with the user's next revision.
    mutating func log(
        _ kind: Change.Kind, of user: UserState, scene: SceneState? = nil, archive: ArchiveID? = nil,
        device: DeviceID? = nil, at time: Timestamp
    ) {
        touch(user, at: time)
        user.revision = user.nextRevision
        let change = Change(
            revision: user.revision, kind: kind, scene: scene?.key.name, archive: archive, device: device, at: time)
        note(.addChange(change, of: user, scene))
        let (revision, kept) = (user.revision.rawValue, Int64(Limits.changesBehind))
        if revision % kept == 0, revision > kept {
            note(.dropChanges(through: Revision(rawValue: revision - kept), of: user))
        }
    }

    /// Adds the user if it doesn't exist.
    mutating func create(_ user: UserState, at time: Timestamp) {
        guard !user.exists else { return }
        (user.exists, user.createdAt, user.sceneCounts) = (true, time, UserState.SceneCounts())
        touch(user)
        user.pending?.isNew = true
        note(.addUser(user))
        count(Usage(users: 1), of: user)
    }

    /// Adds a record of the scene if there is none.
    mutating func create(_ scene: SceneState, of user: UserState) {
        guard !scene.exists else { return }
        scene.exists = true
        scene.tombstones = Tombstones([:])
        user.sceneCounts?.known += 1
        touch(user)
        note(.addScene(scene, of: user))
    }

    /// Adds an entry to a scene's history.
    mutating func insert(_ entry: History.Entry, in scene: SceneState, of user: UserState) {
        if scene.history.entries.isEmpty { user.sceneCounts?.held += 1 }
        let before = scene.history.period(ofHeadBy: entry.device)
        scene.history.insert(entry)
        recordHead(by: entry.device, in: scene, user, before: before)
        count(entry.usage, of: user)
    }

    /// Takes an entry out of a scene's history.
    mutating func takeOut(
        _ entry: History.Entry, of scene: SceneState, _ user: UserState, isUndoable: Bool = false
    ) {
        let before = scene.history.period(ofHeadBy: entry.device)
        scene.history.remove(entry.id, isUndoable: isUndoable)
        recordHead(by: entry.device, in: scene, user, before: before)
        if scene.history.entries.isEmpty { user.sceneCounts?.held -= 1 }
        count(-entry.usage, of: user)
    }

    /// Records a change to the index of heads if the period of a device's newest archive in the scene has changed.
    private mutating func recordHead(by device: DeviceID, in scene: SceneState, _ user: UserState, before: Int64?) {
        let after = scene.history.period(ofHeadBy: device)
        guard before != after else { return }
        let key = HeadChange.Key(scene: scene.key, device: device)
        heads[key, default: HeadChange(user: user, scene: scene, device: device, old: before, new: after)].new = after
    }

    /// Removes an archive forever.
    mutating func remove(_ entry: History.Entry, of scene: SceneState, _ user: UserState) {
        takeOut(entry, of: scene, user)
        note(.removeArchive(entry, of: scene))
    }

    /// Removes the archives that the scene drops (`History.prunable`).
    mutating func prune(_ scene: SceneState, of user: UserState, keeping limit: Int, besides new: ArchiveID? = nil) {
        let prunable = scene.history.prunable(keeping: limit, besides: new) { user.devices[$0] != nil }
        for entry in prunable { remove(entry, of: scene, user) }
    }

    mutating func bury(_ id: ArchiveID, of scene: SceneState, at time: Timestamp) {
        scene.tombstones.note(id, time)
        note(.addTombstone(id, at: time, of: scene))
    }

    /// Returns how far the user's latest stored time is ahead of `now`. It can be ahead because another instance's
    /// clock was, or because a device brought later times from another user. Zero if it is ahead by at most
    /// `Timestamp.usualLead`.
    func lead(of user: UserState, over now: Timestamp) -> Duration {
        guard let latest = user.latestTime, latest - now > Timestamp.usualLead else { return .zero }
        return latest - now
    }

    /// Returns whether the quotas allow the scene its first archive.
    func hasRoom(
        forFirstArchiveOf scene: SceneState, _ user: UserState, _ quotas: App.Settings.Quotas
    ) throws(Interruption) -> Bool {
        guard user.exists else { return true }
        let counts = try sceneCounts(of: user)
        return (scene.exists || counts.known < quotas.knownScenes) && counts.held < quotas.scenes
    }
}
