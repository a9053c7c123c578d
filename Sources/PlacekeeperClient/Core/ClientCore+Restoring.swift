import PlacekeeperArchive
import PlacekeeperModels

// The restores of this process: when they succeed, and which deaths of a process count against them.
//
// A restore succeeds at an interaction, at a flush, when the app reports success, or when the process has lived for
// five seconds. An automatic save proves nothing. If the process dies earlier, it has crashed. A successful restore is
// watched until it is 30 seconds old: if two processes die within this time shortly after each other, or three in a
// row, the archive is refused.
extension ClientCore {
    /// The seconds after which a restore succeeds if nothing else happens.
    static let settlingTime = 5.0
    /// The seconds after a restore during which a death of the process counts against the archive.
    static let watchTime = 30.0

    /// Records that the app begins to restore a state. If the process dies, the next launch can see it.
    func beginRestore(_ served: inout Served, at now: ClockReading) throws(FileError) {
        guard let state = scenes[served.scene] else { return }
        served.leftOut = try state.folder.leftOut(of: served.context.bundleVersion)
        // The user chose another state, so the earlier restore has succeeded.
        try endRestore(in: served.scene, at: now)
        state.restored = served
        state.hasReported = false
        state.work = .none
        state.shownContent = nil
        state.shown.insert(served.id)
        withdrawOffer(served.id, of: served.scene)
        if !served.isOwn {
            state.newest = (served.archive, true)
        }
        let watch = RestoreWatch(served, launch: launch, at: now)
        state.watch = watch
        try state.folder.beginRestore(watch.file)
    }

    /// Records the outcome of a restore.
    func report(_ outcome: Outcome, of served: Served, at now: ClockReading) {
        guard let state = restoring(served) else { return }
        do throws(FileError) { try end(outcome, of: served, state, at: now) } catch { note(error) }
    }

    /// Records that an adapter begins to restore the screens. The restore cannot succeed before they appear.
    func willShow(_ served: Served) {
        restoring(served)?.watch?.settlesAt = nil
    }

    /// Records the object that an adapter restores, so that the next launch can restore the others without it.
    func willRestore(_ object: String?, of served: Served) {
        guard let state = restoring(served) else { return }
        do throws(FileError) { try state.folder.noteRestoring(object, in: launch) } catch { note(error) }
    }

    /// Records that an adapter has restored the screens. Success is reported a little later, because some apps crash only
    /// when the screens appear.
    func didShow(_ outcome: Outcome, of served: Served, at now: ClockReading) {
        guard outcome.result == .restored else { return report(outcome, of: served, at: now) }
        guard let state = restoring(served) else { return }
        state.watch?.shown = outcome
        state.watch?.settlesAt = now.uptime + Self.settlingTime
    }

    /// Ends a restore that did not happen, and offers its state unless the user has dismissed it.
    func skip(_ served: Served, at now: ClockReading) {
        guard served.owner == owner, let state = scenes[served.scene], state.shown.contains(served.id),
            state.restored == nil || state.restored?.id == served.id
        else { return }
        // The user's work may have ended the restore already.
        if restoring(served) != nil {
            (state.restored, state.hasReported, state.watch, state.newest) = (nil, true, nil, nil)
            do throws(FileError) { try state.folder.endRestore() } catch { note(error) }
        }
        state.shown.remove(served.id)
        offerOvertaken(served, in: state, at: now)
    }

    /// The scene that is restoring a state. `nil` once the outcome is reported, or after a change of the account.
    private func restoring(_ served: Served) -> SceneState? {
        guard served.owner == owner, let state = scenes[served.scene], state.restored?.id == served.id,
            !state.hasReported
        else { return nil }
        return state
    }

    /// Ends a scene's restore as successful, because the process is evidently alive.
    func endRestore(in scene: String, at now: ClockReading) throws(FileError) {
        guard let state = scenes[scene], let restored = state.restored, !state.hasReported else { return }
        try end(state.watch?.shown ?? .restored, of: restored, state, at: now)
    }

    private func end(
        _ outcome: Outcome, of served: Served, _ state: SceneState, at now: ClockReading
    ) throws(FileError) {
        state.hasReported = true
        if outcome.result == .restored {
            // If the disk is full from now on, the restore must not count as a crash.
            state.watch?.hasEndedWell = true
            try writeWatch(of: state, at: now)
        }
        var queued = QueuedOutcome(served, outcome.result.rawValue, launch: launch)
        (queued.path, queued.step) = (outcome.path, outcome.step)
        queued.duration = outcome.duration.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        if served.revision != nil {
            if outcome.result == .restored {
                // Crashes in objects are reported only now: alone, they would have stopped this restore as well.
                for crash in try state.folder.takeCrashes(of: queued.bundleVersion) {
                    try state.folder.add(crash, at: now, id: newUUID())
                }
            }
            try state.folder.add(queued, at: now, id: newUUID())
        }
        if outcome.result == .restored {
            try state.folder.note(nil, about: served.id, on: queued.bundleVersion)
            try keep(served, state, at: now)
        } else {
            (state.restored, state.watch, state.newest) = (nil, nil, nil)
            if outcome.result == .failed { try state.folder.refuse([served.id], on: queued.bundleVersion) }
            try state.folder.endRestore()
        }
        state.dueAt = min(state.dueAt ?? .infinity, now.uptime + settings.sendDelay)
    }

    /// Stores another device's restored archive, for launches without the service.
    private func keep(_ served: Served, _ state: SceneState, at now: ClockReading) throws(FileError) {
        let (folder, newest) = (state.folder, try newest(in: state.folder)?.capture)
        // A view-only capture saved since the restore is a later state of the same place.
        guard let revision = served.revision, try folder.last()?.capture.archive != served.id,
            newest?.archive != served.id, newest?.restored?.archive != served.id
        else { return }
        let capture = Capture(
            archive: served.id, sequence: folder.nextSequence(at: now), interactedAt: now,
            restored: .init(archive: served.id, revision: revision),
            servedFidelity: served.isOwn ? nil : served.fidelity.rawValue)
        try folder.keep(capture, served.bytes)
        state.newest = (served.archive, true)
    }

    // MARK: - The watch

    /// Pauses the watch of all scenes until the next interaction, because the app ends on its own, or goes to the
    /// background, where the system may end it.
    func leaveInOrder(at now: ClockReading) {
        for (scene, state) in scenes {
            do throws(FileError) {
                let wasArmed = state.watch?.isArmed == true
                state.watch?.isArmed = false
                try endRestore(in: scene, at: now)
                if wasArmed { try state.folder.endRestore() }
            } catch { note(error) }
        }
    }

    /// Records that the user is interacting with a scene: its restore has succeeded, and the app is in the foreground.
    func noteLife(in scene: String, at now: ClockReading) throws(FileError) {
        try endRestore(in: scene, at: now)
        guard let state = scenes[scene], state.watch?.isArmed == false else { return }
        state.watch?.isArmed = true
        try writeWatch(of: state, at: now)
    }

    /// Records a state saved after a restore. If the process dies, this state is not restored again either.
    func noteSaved(_ archive: String, in state: SceneState, at now: ClockReading) throws(FileError) {
        guard state.watch != nil else { return }
        state.watch?.saved = archive
        try writeWatch(of: state, at: now)
    }

    /// Ends the watch of each restore that the process has survived for long enough.
    func endWatches(at now: ClockReading) {
        guard !isLocked else { return }
        for (scene, state) in scenes {
            guard let watch = state.watch else { continue }
            do throws(FileError) {
                if let settlesAt = watch.settlesAt, settlesAt <= now.uptime { try endRestore(in: scene, at: now) }
                guard watch.endsAt <= now.uptime, state.watch?.hasEndedWell == true else { continue }
                if watch.isArmed { try state.folder.endRestore() }
                try state.folder.forgive(watch.outcome.archive, on: watch.outcome.bundleVersion)
                state.watch = nil
            } catch { note(error) }
        }
    }

    private func writeWatch(of state: SceneState, at now: ClockReading) throws(FileError) {
        guard let watch = state.watch, watch.isArmed else { return }
        if watch.hasEndedWell, watch.endsAt <= now.uptime {
            try state.folder.endRestore()
        } else {
            try state.folder.beginRestore(watch.file)
        }
    }

    /// Counts the death of an earlier process that restored a state of the scene. The restore counts as crashed if it
    /// had not succeeded, or if processes died too often soon after restoring this archive.
    func countDeath(in scene: String, at now: ClockReading) throws(FileError) {
        guard let folder = scenes[scene]?.folder, let begun = try folder.begunRestore(),
            begun.outcome.launch != launch
        else { return }
        var outcome = begun.outcome
        let archives = [outcome.archive] + (begun.related ?? [])
        if begun.hasEndedWell != true, let object = try folder.restoredObject(in: outcome.launch) {
            var crash = outcome
            (crash.result, crash.path) = ("crashed", object)
            if try folder.leaveOut(crash) { return try folder.endRestore() }
        }
        let (death, version) = (BadRestore.Death(launch: outcome.launch, at: begun.at ?? now), outcome.bundleVersion)
        let isCrashLoop = try folder.noteDeath(of: archives, death, on: version)
        if begun.hasEndedWell != true || isCrashLoop {
            try folder.refuse(archives, on: version)
            try noteCrash(of: outcome, at: begun.at ?? now)
            outcome.result = "crashed"
            for archive in archives {
                outcome.archive = archive
                try folder.add(outcome, at: now, id: newUUID())
            }
        }
        try folder.endRestore()
    }
}

/// A restore of this process that is at most 30 seconds old.
struct RestoreWatch {
    /// The outcome to report if the restore crashes the app.
    let outcome: QueuedOutcome
    /// The archive that the restored state shows, if that state is a view-only capture.
    private let origin: String?
    /// The uptime at which the restore succeeds. `nil` while an adapter is restoring the screens.
    var settlesAt: Double?
    private let at: ClockReading
    /// The uptime until which a death of the process counts.
    let endsAt: Double
    var hasEndedWell = false
    /// Whether a death of the process counts. False from a flush until the next interaction.
    var isArmed = true
    /// The outcome to report when the restore succeeds, if an adapter restored the screens.
    var shown: Outcome?
    /// The newest state saved since the restore.
    var saved: String?

    init(_ served: Served, launch: String, at now: ClockReading) {
        outcome = QueuedOutcome(served, "began", launch: launch)
        origin = served.origin?.archive
        at = now
        settlesAt = now.uptime + ClientCore.settlingTime
        endsAt = now.uptime + ClientCore.watchTime
    }

    var file: BegunRestore {
        BegunRestore(
            outcome: outcome, at: at, hasEndedWell: hasEndedWell ? true : nil,
            related: [origin, saved].compactMap { $0 }.filter { $0 != outcome.archive })
    }

    /// The uptime of the next change. `nil` while an adapter is restoring the screens.
    var wakeAt: Double? { hasEndedWell ? endsAt : settlesAt }
}

extension QueuedOutcome {
    init(_ served: Served, _ result: String, launch: String) {
        self.init(
            result: result, archive: served.id, launch: launch, idiom: served.context.idiom.rawValue,
            layout: served.context.layout?.rawValue, bundleVersion: served.context.bundleVersion,
            systemVersion: served.context.systemVersion, stateVersion: served.context.stateVersion)
    }
}
