package import PlacekeeperService

extension OldMemoryStore {
    package func put(_ new: NewArchive, retention: Int) -> Committed<PutResult> {
        let result = store(new, retention: retention)
        return commit(result, .upload(to: new.scene, result))
    }

    private func store(_ new: NewArchive, retention: Int) -> PutResult {
        let known = users[new.scene.owner, default: UserRecord()]
        let state = uploadState(of: new, known)
        let decision = UploadDecision(new, in: state) {
            orderState(of: new, in: known.scenes[new.scene.name] ?? SceneRecord(), known)
        } hasRoomForScene: {
            (known.scenes[new.scene.name] != nil || known.sceneCount < Limits.knownScenes)
                && known.heldSceneCount < Limits.scenes
        } surplus: { position in
            surplus(after: new, at: position, in: known.scenes[new.scene.name], retention: retention)
        }
        switch decision {
        case .answer(let result): return result
        case .insert(let position):
            let owner = new.scene.owner
            var user = users[owner, default: UserRecord()]
            var scene = user.scenes[new.scene.name, default: SceneRecord()]
            user.log(.archiveStored, scene: new.scene.name, archive: new.id, device: new.device, at: new.receivedAt)
            let archive = new.stored(revision: user.latest, at: position)
            scene.insert(StoredArchive(archive: archive, bytes: new.bytes))
            drop(surplusOf: &scene, of: owner, keeping: retention, besides: new.id)
            user.scenes[new.scene.name] = scene
            users[owner] = user
            return .created(archive, head: state.head(inserting: archive))
        }
    }

    private func uploadState(of new: NewArchive, _ user: UserRecord) -> UploadState {
        let scene = user.scenes[new.scene.name]
        var state = UploadState()
        if let actor = new.actor { state.isActorKnown = devices[actor]?.owner == new.scene.owner }
        if let original = new.original, scene?.index(of: original) == nil { state.isActorKnown = false }
        state.head = scene?.head?.position
        state.stored = scene?.index(of: new.id).flatMap { scene?.archives[$0].archive }
        state.isDeleted = scene?.tombstones[new.id] != nil
        state.quotas = quotaFacts(of: new.scene.owner, for: new.quotas)
        return state
    }

    /// Returns the usage of the archives that retention would remove after a new archive.
    private func surplus(
        after new: NewArchive, at position: CaptureOrder.Position, in scene: SceneRecord?, retention: Int
    ) -> Usage {
        guard var scene else { return Usage() }
        let archive = new.stored(revision: Revision(rawValue: .max), at: position)
        scene.insert(StoredArchive(archive: archive, bytes: new.bytes))
        let before = scene.usage
        drop(surplusOf: &scene, of: new.scene.owner, keeping: retention, besides: new.id)
        return before + -scene.usage
    }

    private func orderState(of new: NewArchive, in scene: SceneRecord, _ user: UserRecord) -> SceneOrderState {
        var state = SceneOrderState(
            head: scene.head?.capturedAt, forgotten: scene.forgotten, prunedThrough: user.prunedThrough,
            joined: joinedRevision(of: new.device))
        for entry in scene.archives {
            let stored = entry.archive
            if stored.revision == new.restoredFrom, stored.revision > state.joined || entry.served[new.device] != nil {
                state.restoredFrom = stored.capturedAt
            }
            if stored.device == new.device { state.note(own: stored.position, isGlance: stored.isGlance, for: new) }
        }
        return state
    }

    func drop(
        surplusOf scene: inout SceneRecord, of owner: UserKey, keeping retention: Int, besides new: ArchiveID? = nil
    ) {
        let entries = scene.archives.map { stored in
            Retention.Entry(
                stored.archive, isServable: RestoreEligibility.isServable(stored.archive, after: stored.outcomes))
        }
        let served = Set(scene.servedLast.values)
        let surplus = Retention.surplus(of: entries, keeping: retention) { device in
            devices[device]?.owner == owner
        } mustStay: { entry in
            // The new archive stays until the next upload, regardless of its age, because its upload is about to be
            // acknowledged.
            entry.id == new || served.contains(entry.id)
        }
        scene.remove(Set(surplus))
    }

    package func history(
        of scene: SceneKey, below position: Archive.Position?, limit: Int
    ) -> HistoryPage {
        HistoryPage(
            archives: candidates(in: scene, device: nil, below: position, limit: limit),
            head: head(of: scene)?.revision)
    }

    package func choose(_ choice: Choice, limit: Int) -> Chosen {
        var choice = choice
        choice.head = choice.head ?? head(of: choice.scene)
        let page = candidates(in: choice.scene, device: choice.device, below: choice.position, limit: limit)
        for archive in page {
            let outcomes = outcomes(of: archive.id, in: choice.scene)
            if case .stop(let needsBytes) = choice.consider(archive, outcomes: outcomes) {
                return Chosen(choice, bytes: needsBytes ? bytes(of: archive) : nil)
            }
        }
        return Chosen(choice, hasMore: page.count == limit)
    }

    private func candidates(
        in scene: SceneKey, device: DeviceID?, below position: Archive.Position?, limit: Int
    ) -> [Archive] {
        let matching = (record(of: scene)?.archives ?? []).lazy.map(\.archive).filter { archive in
            (device == nil || archive.device == device) && (position.map { archive.position < $0 } ?? true)
        }
        return Array(matching.prefix(limit))
    }

    package func archive(_ id: ArchiveID, in scene: SceneKey) -> ArchiveLookup {
        if let stored = stored(id, in: scene) { return .stored(stored.archive) }
        return record(of: scene)?.tombstones[id] == nil ? .none : .deleted
    }

    package func search(for id: ArchiveID, in app: AppID, from step: Int64) -> ArchiveSearch {
        var scenes: [SceneKey] = []
        for (owner, user) in users where owner.app == app {
            for (name, scene) in user.scenes where scene.index(of: id) != nil {
                scenes.append(SceneKey(owner: owner, name: name))
            }
        }
        return ArchiveSearch(scenes: scenes, next: nil)
    }

    package func bytes(of archive: Archive) -> [UInt8]? {
        stored(archive.id, in: archive.scene).flatMap { $0.archive.digest == archive.digest ? $0.bytes : nil }
    }

    package func head(of scene: SceneKey) -> Archive.Position? { record(of: scene)?.head?.position }

    package func sceneHeads(of owner: UserKey, behind scene: String?, limit: Int) -> [Archive] {
        let scenes = (users[owner]?.scenes ?? [:]).filter { $0.key > scene ?? "" && $0.value.head != nil }
        return scenes.sorted { $0.key < $1.key }.prefix(limit).compactMap(\.value.head)
    }

    package func heads(of owner: UserKey, below position: Archive.Position?, limit: Int) -> [DeviceHead] {
        let scenes = users[owner]?.scenes.values.map { scene in
            var devices: Set<DeviceID> = []
            return scene.archives.map(\.archive).filter { devices.insert($0.device).inserted }
                .map { DeviceHead(archive: $0, isSceneHead: $0.revision == scene.head?.revision) }
        }
        let heads = (scenes ?? []).joined().filter { head in position.map { head.archive.position < $0 } ?? true }
        return Array(heads.sorted { $0.archive.position > $1.archive.position }.prefix(limit))
    }

    package func forget(_ scene: SceneKey, at time: Timestamp) throws(StoreError) -> Committed<Void> {
        guard users[scene.owner] != nil else { throw .userGone }
        return commit((), .change(of: scene, markForgotten(scene, at: time)))
    }

    private func markForgotten(_ scene: SceneKey, at time: Timestamp) -> Bool {
        var user = users[scene.owner, default: UserRecord()]
        // A scene without a record has nothing to forget, so no record is added if the user already has
        // `Limits.knownScenes` records.
        guard user.scenes[scene.name] != nil || user.sceneCount < Limits.knownScenes else { return false }
        user.log(.sceneForgotten, scene: scene.name, at: time)
        var record = user.scenes[scene.name, default: SceneRecord()]
        for stored in record.archives { record.tombstones[stored.archive.id] = time }
        record.archives = []
        record.deleted = [:]
        record.servedLast = [:]
        record.forgotten = CaptureOrder.Forgotten(at: time, revision: user.latest)
        user.scenes[scene.name] = record
        users[scene.owner] = user
        return true
    }

    package func putSnapshot(
        _ snapshot: Snapshot, for id: ArchiveID, in scene: SceneKey, quotas: App.Settings.Quotas
    ) -> Committed<SnapshotResult> {
        let result = store(snapshot, for: id, in: scene, quotas: quotas)
        return commit(result, .write(to: scene.owner, result == .stored))
    }

    private func store(
        _ snapshot: Snapshot, for id: ArchiveID, in scene: SceneKey, quotas: App.Settings.Quotas
    ) -> SnapshotResult {
        guard let stored = stored(id, in: scene) else { return .noArchive }
        let growth = Usage(bytes: snapshot.bytes.count - stored.snapshotSize)
        if let excess = quotas.excess(adding: growth, to: quotaFacts(of: scene.owner)) {
            return .quotaExceeded(excess)
        }
        _ = update(id, in: scene) { stored in
            stored.snapshot = snapshot
            stored.snapshotSize = snapshot.bytes.count
            stored.archive.hasSnapshot = true
        }
        return .stored
    }

    package func snapshot(for id: ArchiveID, in scene: SceneKey) -> Snapshot? { stored(id, in: scene)?.snapshot }

    func record(of scene: SceneKey) -> SceneRecord? { users[scene.owner]?.scenes[scene.name] }

    func stored(_ id: ArchiveID, in scene: SceneKey) -> StoredArchive? {
        record(of: scene).flatMap { record in record.index(of: id).map { record.archives[$0] } }
    }

    /// Changes a stored archive. Returns false if the archive does not exist.
    func update(_ id: ArchiveID, in scene: SceneKey, _ change: (inout StoredArchive) -> Void) -> Bool {
        guard var stored = stored(id, in: scene), let index = record(of: scene)?.index(of: id) else { return false }
        change(&stored)
        users[scene.owner]?.scenes[scene.name]?.archives[index] = stored
        return true
    }
}
