// The rules for a scene's archives. `RuleStore` documents what each promises.
extension Workspace {
    package mutating func put(_ new: NewArchive, retention: Int) throws(Interruption) -> PutResult {
        guard let user = user(new.scene.owner), let scene = user.scenes[new.scene.name],
            scene.tombstones.knows(new.id), let usage = knownUsage(of: new.scene.owner.app)
        else {
            let (owner, scene) = (new.scene.owner, new.scene)
            throw .needs([.user(owner), .scene(scene), .tombstone(new.id, scene), .usage(owner.app)])
        }
        let new = new.noEarlier(than: lead(of: user, over: new.receivedAt) > .zero ? user.latestTime : nil)
        var state = UploadState()
        if let actor = new.actor { state.isActorKnown = user.devices[actor] != nil }
        if let original = new.original, !scene.history.contains(original) { state.isActorKnown = false }
        state.head = scene.history.head
        if state.isActorKnown, scene.history.contains(new.id) { state.stored = try details(new.id, in: scene)?.archive }
        state.isDeleted = scene.tombstones[new.id] != nil
        state.quotas = QuotaFacts(user: user.usage, isSignedIn: user.subject != nil, app: usage)
        let decision = try UploadDecision(new, in: state) { () throws(Interruption) in
            try orderState(of: new, in: scene, user)
        } hasRoomForScene: { () throws(Interruption) in
            try hasRoom(forFirstArchiveOf: scene, user, new.quotas)
        } prunable: { position throws(Interruption) in
            var history = scene.history
            history.insert(History.Entry(new.stored(revision: Revision(rawValue: .max), at: position)))
            return history.prunable(keeping: retention, besides: new.id) { user.devices[$0] != nil }
                .reduce(Usage()) { $0 + $1.usage }
        }
        switch decision {
        case .answer(let result): return result
        case .insert(let position):
            // An upload without a requesting device may arrive before its user exists.
            create(user, at: Timestamp(milliseconds: 0))
            create(scene, of: user)
            let archive = new.stored(revision: user.nextRevision, at: position)
            insert(History.Entry(archive), in: scene, of: user)
            prune(scene, of: user, keeping: retention, besides: new.id)
            note(.addArchive(archive, to: scene))
            log(.archiveStored, of: user, scene: scene, archive: new.id, device: new.device, at: new.receivedAt)
            invalidations = .change(of: new.scene)
            return .created(archive, head: state.head(inserting: archive))
        }
    }

    private func orderState(
        of new: NewArchive, in scene: SceneState, _ user: UserState
    ) throws(Interruption) -> SceneOrderState {
        let device = user.devices[new.device] ?? UserState.DeviceState()
        var state = scene.history.orderState(
            of: new, by: device, forgotten: scene.forgotten, prunedThrough: user.prunedThrough)
        guard let revision = new.restoredFrom,
            let source = scene.history.entries.first(where: { $0.position.revision == revision })
        else { return state }
        // A revision up to `joined` may belong to another user's archive. It counts only if the device was served this
        // user's archive of that revision.
        var isOfThisUser = revision > device.joined
        if !isOfThisUser { isOfThisUser = try details(source.id, in: scene)?.served[new.device] != nil }
        if isOfThisUser { state.restoredFrom = source.position.capturedAt }
        return state
    }

    package mutating func delete(
        _ id: ArchiveID, in key: SceneKey, at time: Timestamp, isUndoable: Bool
    ) throws(Interruption) -> Bool {
        try require([.user(key.owner), .scene(key), .deletions(key)])
        let (user, scene) = (try known(key.owner), try known(key))
        guard let entry = scene.history.entry(id) else {
            // An undoable deletion becomes final.
            if !isUndoable, let deletion = scene.deletions?[id] { end(deletion, of: scene, user) }
            return false
        }
        if isUndoable {
            takeOut(entry, of: scene, user, isUndoable: true)
            note(.softDelete(entry, at: time, of: scene))
            scene.deletions?[id] = SceneState.Deletion(entry: entry, at: time)
            let newestFirst = (scene.deletions ?? [:]).values.sorted {
                ($0.at, $0.entry.position.revision) > ($1.at, $1.entry.position.revision)
            }
            for deletion in newestFirst.dropFirst(Retention.deletedArchives) { end(deletion, of: scene, user) }
        } else {
            remove(entry, of: scene, user)
        }
        bury(id, of: scene, at: time)
        log(.archiveDeleted, of: user, scene: scene, archive: id, device: entry.device, at: time)
        invalidations = .change(of: key)
        return true
    }

    /// Makes a deletion final. The tombstone is kept.
    private mutating func end(_ deletion: SceneState.Deletion, of scene: SceneState, _ user: UserState) {
        touch(user)
        scene.deletions?[deletion.entry.id] = nil
        scene.history.dropServedLast(of: deletion.entry.id)
        note(.endDeletion(deletion.entry, of: scene))
    }

    package mutating func undelete(
        _ id: ArchiveID, in key: SceneKey, at time: Timestamp, quotas: App.Settings.Quotas
    ) throws(Interruption) -> Undeletion {
        try require([.user(key.owner), .scene(key), .deletions(key), .tombstone(id, key), .usage(key.owner.app)])
        let (user, scene) = (try known(key.owner), try known(key))
        guard let deletion = scene.deletions?[id], Retention.isUndoable(deletion.at, at: time) else {
            guard let deletedAt = scene.tombstones[id], let forgotten = scene.forgotten else { return .nothing }
            return forgotten.at >= deletedAt ? .forgotten : .nothing
        }
        if let excess = quotas.excess(adding: deletion.entry.usage, to: try quotaFacts(of: user)) {
            return .quotaExceeded(excess)
        }
        if scene.history.head == nil, try !hasRoom(forFirstArchiveOf: scene, user, quotas) { return .tooManyScenes }
        scene.deletions?[id] = nil
        note(.bringBack(deletion.entry, to: scene))
        insert(deletion.entry, in: scene, of: user)
        scene.tombstones.note(id, nil)
        note(.dropTombstone(id, of: scene))
        log(.archiveStored, of: user, scene: scene, archive: id, device: deletion.entry.device, at: time)
        invalidations = .change(of: key)
        return .restored
    }

    package mutating func forget(
        _ key: SceneKey, at time: Timestamp, quotas: App.Settings.Quotas
    ) throws(Interruption) -> Timestamp {
        try require([.user(key.owner), .scene(key), .deletions(key)])
        let (user, scene) = (try known(key.owner), try known(key))
        guard user.exists else { throw .userGone }
        // A scene without a record has nothing to forget, so don't add a record beyond the user's maximum.
        if !scene.exists, try sceneCounts(of: user).known >= quotas.knownScenes { return time }
        create(scene, of: user)
        let time = time + lead(of: user, over: time)
        for deletion in (scene.deletions ?? [:]).values { end(deletion, of: scene, user) }
        for entry in scene.history.entries {
            remove(entry, of: scene, user)
            bury(entry.id, of: scene, at: time)
        }
        log(.sceneForgotten, of: user, scene: scene, at: time)
        scene.forgotten = CaptureOrder.Forgotten(at: time, revision: user.revision)
        note(.setForgotten(scene))
        invalidations = .change(of: key)
        return time
    }

    package mutating func putScreenshot(
        _ screenshot: Screenshot, for id: ArchiveID, in key: SceneKey, quotas: App.Settings.Quotas
    ) throws(Interruption) -> ScreenshotResult {
        try require([.user(key.owner), .scene(key), .usage(key.owner.app)])
        let (user, scene) = (try known(key.owner), try known(key))
        guard let entry = scene.history.entry(id) else { return .noArchive }
        let growth = Usage(bytes: screenshot.bytes.count - entry.screenshotSize)
        if let excess = quotas.excess(adding: growth, to: try quotaFacts(of: user)) { return .quotaExceeded(excess) }
        note(.putScreenshot(screenshot, for: entry, of: scene))
        scene.history.change(id) { ($0.screenshotSize, $0.hasScreenshot) = (screenshot.bytes.count, true) }
        count(growth, of: user)
        invalidations = .write(to: key.owner)
        return .stored
    }

    package mutating func recordServing(
        _ id: ArchiveID, in key: SceneKey, to device: DeviceID, at time: Timestamp
    ) throws(Interruption) {
        try require([.user(key.owner), .scene(key), .details(id, key)])
        let (user, scene) = (try known(key.owner), try known(key))
        guard var details = try details(id, in: scene), details.served[device] == nil else { return }
        touch(user, at: time)
        details.served[device] = time
        scene.details[id] = details
        scene.history.change(id) { $0.hasServings = true }
        guard let entry = scene.history.entry(id) else { return }
        note(.addServing(of: entry, to: device, at: time, scene))
        guard user.devices[device] != nil else { return }
        scene.history.serve(id, to: device)
        note(.setServedLast(entry, to: device, scene))
    }

    package mutating func report(_ outcome: Outcome, in key: SceneKey) throws(Interruption) -> ReportResult {
        try require([.user(key.owner), .scene(key), .details(outcome.archive, key)])
        let (user, scene) = (try known(key.owner), try known(key))
        guard var details = try details(outcome.archive, in: scene) else { return .noArchive }
        guard details.archive.device == outcome.device || details.served[outcome.device] != nil else {
            return .notServed
        }
        details.outcomes.append(outcome)
        let dropped = max(details.outcomes.count - Retention.outcomes, 0)
        let kept = Array(details.outcomes.dropFirst(dropped))
        scene.history.change(outcome.archive) { entry in
            entry.hasOutcomes = true
            entry.isServable = RestoreEligibility.isServable(details.archive, after: kept)
        }
        scene.details[outcome.archive] = details
        if let entry = scene.history.entry(outcome.archive) {
            note(.addOutcome(outcome, of: entry, details, scene, dropping: dropped))
        }
        log(
            .outcomeReported, of: user, scene: scene, archive: outcome.archive, device: outcome.device,
            at: outcome.reportedAt)
        invalidations = .change(of: key)
        return .recorded
    }
}
