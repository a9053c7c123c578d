import PlacekeeperArchive
import PlacekeeperModels

// Scenes and their captures.
extension ClientCore {
    /// Reads the scenes of the device's folder.
    func loadScenes() throws(FileError) {
        for name in try files.names(in: deviceFolder + "/scenes") where name.hasPrefix("s.") {
            try open(String(name.dropFirst(2)))
        }
    }

    /// Switches this process's scenes to the device's folder, after their files were moved there.
    func relocateScenes() throws(FileError) {
        for name in scenes.keys {
            scenes[name]?.folder = try sceneFolder(name)
            scenes[name]?.headIsOwn = nil
            try open(name)
        }
        try loadScenes()
    }

    /// Opens a scene, and reads the names of its files.
    func open(_ scene: String) throws(FileError) {
        let state = if let known = scenes[scene] { known } else { SceneState(folder: try sceneFolder(scene)) }
        try state.folder.refresh()
        scenes[scene] = state
        if !state.folder.waiting.isEmpty, state.dueAt == nil { scenes[scene]?.dueAt = 0 }
    }

    /// Returns the folder of a scene. Its next capture gets a greater sequence number than every capture of the scene
    /// in other folders: a sign-in may move those captures here, and the wall clock may have been set back since.
    private func sceneFolder(_ scene: String) throws(FileError) -> SceneFolder {
        let folder = SceneFolder(files, "\(deviceFolder)/scenes/s.\(scene)")
        for device in try files.names(in: "devices") where "devices/" + device != deviceFolder {
            let kept = try files.names(in: "devices/\(device)/scenes/s.\(scene)").compactMap(FileName.init)
            folder.continueSequence(after: kept.map(\.sequence).max() ?? 0)
        }
        return folder
    }

    /// Returns whether a scene's name consists of 1 to 64 characters from `[A-Za-z0-9._-]`.
    static func isSceneName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    static var sceneNameInvalid: PlacekeeperError {
        PlacekeeperError(.sceneNameInvalid, "A scene's name has 1 to 64 of the characters A–Z a–z 0–9 . _ and -.")
    }

    /// Saves a scene's state. A state that equals the newest one is not sent again.
    func save(
        _ archive: StateArchive, encoded: [UInt8]? = nil, in scene: String, _ interaction: Placekeeper.Interaction,
        snapshot: [UInt8]? = nil, of owner: Int? = nil, at now: ClockReading
    ) {
        readAccount()
        if case .locked = account {
            return loseState(of: scene, .init(.locked, "The device is locked, so the state was not saved."))
        }
        guard Self.isSceneName(scene) else {
            return loseState(of: "", Self.sceneNameInvalid)
        }
        guard isPresent(owner, in: scene) else { return loseState(of: scene, Self.accountChanged) }
        do throws(FileError) {
            if scenes[scene] == nil { try open(scene) }
            if waitsForLaunch(scene, interaction) {
                scenes[scene]?.heldSave = (archive, snapshot, now)
                return
            }
            endWatches(at: now)
            saveFailures[scene] = nil
            let (archive, isWhole) = fittingSteps(of: archive, in: scene)
            if interaction == .viewing { countViewOnly(archive, in: scene) }
            let interaction = try resolved(interaction, archive, in: scene)
            if interaction != .viewing { noteInteractionIsTold(in: scene) }
            try capture(archive, isWhole ? encoded : nil, in: scene, interaction, snapshot, at: now)
            scenes[scene]?.shownContent = archive
        } catch {
            note(error)
            saveFailures[scene] = failure(of: error)
        }
    }

    /// Whether a state is the app's first screen, which the app saves before it knows what to restore.
    private func waitsForLaunch(_ scene: String, _ interaction: Placekeeper.Interaction) -> Bool {
        [.viewing, .ifChanged].contains(interaction) && scenes[scene]?.hasInteracted != true
            && waiting.contains { !$0.isAnswered && $0.call.launches(scene) }
    }

    /// Saves the first screen that was held back during a launch, if the scene has no other state.
    func saveHeld(in scene: String) {
        guard let state = scenes[scene], let held = state.heldSave else { return }
        state.heldSave = nil
        guard state.restored == nil, state.folder.isUnused else { return }
        save(held.archive, in: scene, .viewing, snapshot: held.snapshot, at: held.at)
    }

    /// Records what the window shows.
    func noteShown(_ archive: StateArchive, in scene: String, of owner: Int) {
        if isPresent(owner, in: scene), openIfNeeded(scene) { scenes[scene]?.shownContent = archive }
    }

    /// Decides whether a state counts as the user's work, if the app leaves this to the client.
    private func resolved(
        _ interaction: Placekeeper.Interaction, _ archive: StateArchive, in scene: String
    ) throws(FileError) -> Placekeeper.Interaction {
        guard interaction == .ifChanged, let state = scenes[scene] else { return interaction }
        let isUnchanged =
            if let shown = state.shownContent {
                archive.shows(sameAs: shown)
            } else if let restored = state.restored {
                // After a restore of the place alone, the rest of the state comes from this device.
                restored.fidelity == .full
                    ? archive.shows(sameAs: restored.archive) : archive.showsPlace(of: restored.archive)
            } else {
                try newestContent(of: state).map { archive.shows(sameAs: $0) } ?? false
            }
        return isUnchanged ? .viewing : .now
    }

    /// Records that a state was not saved, or was refused by the service. The status and the next flush report it.
    func loseState(of scene: String, _ error: PlacekeeperError) {
        problem = error
        saveFailures[scene] = error
    }

    /// Why a state of this process was not written or not accepted.
    var savingFailure: PlacekeeperError? { saveFailures.min { $0.key < $1.key }?.value }

    /// Records that the user is interacting with a scene.
    func noteInteraction(in scene: String, of owner: Int? = nil, at now: ClockReading) {
        guard openIfNeeded(scene), isPresent(owner, in: scene) else { return }
        scenes[scene]?.interactedAt = now
        scenes[scene]?.work = .unsaved
        noteInteractionIsTold(in: scene)
        do throws(FileError) { try noteLife(in: scene, at: now) } catch { note(error) }
    }

    /// Records that the app goes to the background. When the user returns, states are view-only captures of the saved
    /// work until the next interaction.
    func leaveScenes(at now: ClockReading) {
        leaveInOrder(at: now)
        for state in scenes.values { state.endSession() }
    }

    /// The seconds after an interaction during which a new screen counts as opened by the user.
    private static let openingTime = 5.0

    /// Whether the screen of a state without an interaction opened on its own, for example because of a notification, a
    /// timed log-out or the next film: the place has changed, and the last interaction is too long ago.
    private func isOpenedByOthers(_ archive: StateArchive, _ state: SceneState, at now: ClockReading) throws(FileError)
        -> Bool
    {
        guard let interactedAt = state.interactedAt, interactedAt.age(at: now) > Self.openingTime, archive.place != nil,
            let newest = try newestContent(of: state), newest.place != nil
        else { return false }
        return !archive.isAtPlace(of: newest)
    }

    /// Stops restoring the newest state of a scene on this device, because the user discarded it.
    func discard(_ scene: String, of owner: Int? = nil, at now: ClockReading) {
        guard openIfNeeded(scene), isPresent(owner, in: scene), let state = scenes[scene] else { return }
        do throws(FileError) {
            if let served = state.restored { report(.abandoned, of: served, at: now) }
            if let newest = try newest(in: state.folder) {
                try state.folder.noteDiscarding(of: newest.capture.archive)
                // Otherwise, the service would serve the work that the view-only capture shows.
                if let work = newest.capture.restored { try state.folder.noteDiscarding(of: work.archive) }
            }
        } catch {
            note(error)
        }
    }

    /// Opens a scene that this process has not used yet. Returns false if its files cannot be used.
    func openIfNeeded(_ scene: String) -> Bool {
        readAccount()
        if case .locked = account { return false }
        guard Self.isSceneName(scene) else { return false }
        do throws(FileError) { if scenes[scene] == nil { try open(scene) } } catch { note(error) }
        return scenes[scene] != nil
    }

    private func capture(
        _ archive: StateArchive, _ encoded: [UInt8]?, in scene: String, _ interaction: Placekeeper.Interaction,
        _ snapshot: [UInt8]?, at now: ClockReading
    ) throws(FileError) {
        guard let state = scenes[scene] else { return }
        let hasInteraction: Bool
        switch interaction.time {
        case .ago(let seconds):
            hasInteraction = true
            state.interactedAt = now.earlier(by: seconds.isFinite ? min(max(seconds, 0), ClockReading.maximumAge) : 0)
        case .viewing, .ifChanged:
            if try isOpenedByOthers(archive, state, at: now) { state.endSession() }
            hasInteraction = state.hasInteracted
        }
        // A log-in screen is nobody's work.
        if !hasInteraction, credentials?.isSignedOut == true { return }
        if hasInteraction {
            try endRestore(in: scene, at: now)
            // The interaction may date from before a flush.
            if interaction.time != .viewing { try noteLife(in: scene, at: now) }
            state.restored = nil
            state.work = state.hasInteracted ? .saved : .marked
        } else if state.work == .left {
            state.restored = try local(scene, settings.device).0?.served
            (state.hasReported, state.work) = (true, .none)
        }
        // A first screen must not replace work on this device that was not restored.
        if !hasInteraction, state.restored == nil, let last = try self.newest(in: state.folder)?.capture,
            last.isFirstScreen != true
        {
            return
        }
        let newest = try newestContent(of: state)
        let isUnchanged = newest.map { $0.equals(archive) } ?? false
        // The same state is sent again when the user starts to work in a view-only state, or returns after working on
        // another device.
        let isReturn = state.newest?.isViewOnly == true || (state.headIsOwn != true && state.folder.captures.isEmpty)
        let isNews = !isUnchanged || (hasInteraction && isReturn)
        guard isNews else { return }
        let whole: [UInt8]
        do {
            whole = try encoded ?? archive.encoded()
        } catch {
            loseState(of: scene, .init(.stateRefused, "The state cannot be encoded: \(error)"))
            return
        }
        guard let (archive, bytes) = fitted(archive, whole, in: scene) else { return }
        state.noRoom = nil
        let restored = hasInteraction ? nil : state.restored
        // If the restored state is itself a view-only capture, the origin is the work that it shows.
        let origin = restored.flatMap { served in
            served.origin ?? served.revision.map { Capture.Restored(archive: served.id, revision: $0) }
        }
        let looksAway = restored.map { !archive.isAtPlace(of: $0.archive) } ?? false
        // Without a revision of the pending work, the service cannot order the view-only capture below it.
        guard !looksAway || origin != nil else { return }
        let capture = Capture(
            archive: newUUID(), sequence: state.folder.nextSequence(at: now),
            // A view-only capture is as old as the state that it shows.
            interactedAt: state.interactedAt ?? restored?.interactedAt ?? now, restored: origin,
            isFirstScreen: !hasInteraction && restored == nil ? true : nil, looksAway: looksAway ? true : nil)
        if state.folder.isUnused { try noteFirstUse(at: now) }
        try state.folder.add(capture, bytes)
        if hasInteraction { try beginAfterSignOut() }
        try noteSaved(capture.archive, in: state, at: now)
        let isSnapshotSound = snapshot.map { Self.type(of: $0) != nil } ?? true
        let isSnapshotLarge = (snapshot?.count ?? 0) > SceneFolder.snapshotLimit
        note(!isSnapshotSound && isSnapshotLarge, "snapshot", .tooLarge, in: scene)
        note(!isSnapshotSound && !isSnapshotLarge, "snapshot", .unwritable, in: scene)
        if let snapshot, !snapshotsAreOff, isSnapshotSound { try state.folder.add(snapshot: snapshot, to: capture) }
        // The new file is on disk before the files that it replaces are removed.
        for earlier in state.folder.captures where earlier.state == .pending && earlier.sequence < capture.sequence {
            guard try capture.replaces(earlier, in: state.folder) else { continue }
            try state.folder.remove(earlier)
        }
        state.newest = (archive, capture.isView)
        let firstSavedAt = state.firstSavedAt ?? now.uptime
        state.firstSavedAt = firstSavedAt
        state.dueAt = min(now.uptime + settings.sendDelay, firstSavedAt + 5 * settings.sendDelay)
        if hasInteraction { try noteWork(at: archive, in: state) }
    }

    /// Returns the content of the scene's newest state.
    private func newestContent(of state: SceneState) throws(FileError) -> StateArchive? {
        if let newest = state.newest { return newest.content }
        guard let (capture, bytes) = try newest(in: state.folder) else { return nil }
        state.newest = StateArchive(kept: bytes).map { ($0, capture.isView) }
        return state.newest?.content
    }

    /// Returns the newest state of a scene on this device: a pending capture, or else the last state. Skips view-only
    /// captures of another place, because launches do not restore them.
    func newest(in folder: SceneFolder) throws(FileError) -> (capture: Capture, bytes: [UInt8])? {
        let last = try folder.last()
        for name in folder.captures.reversed() {
            if let last, last.capture.sequence > name.sequence { break }
            switch try folder.capture(name) {
            case .read(let capture, let bytes): if capture.looksAway != true { return (capture, bytes) }
            case .damaged: problem = PlacekeeperError(.fileDamaged, "A saved state was damaged on the disk.")
            case .gone, .newer: break
            }
        }
        return last
    }

    /// Makes everything that is pending due now.
    func makeDue(at now: ClockReading) {
        // An extension may have added files, even for scenes that the app has not opened.
        do throws(FileError) { try loadScenes() } catch { note(error) }
        for name in scenes.keys {
            if scenes[name]?.folder.waiting.isEmpty == false { scenes[name]?.dueAt = now.uptime }
        }
        makeListsDue(at: now)
        backoff.clearFailures()
    }
}

extension Capture {
    /// Returns whether this later capture replaces an earlier, unsent one. A view-only capture does not replace work.
    fileprivate func replaces(_ earlier: FileName, in folder: SceneFolder) throws(FileError) -> Bool {
        guard isView else { return true }
        guard case .read(let capture, _) = try folder.capture(earlier) else { return false }
        return capture.isView
    }
}

extension StateArchive {
    /// Returns whether two archives are equal, ignoring their times.
    func equals(_ other: StateArchive) -> Bool {
        var copy = other
        copy.timestamp = timestamp
        return self == copy
    }
}
