import KeyedArchive

// Scenes and their captures.
extension ClientCore {
    /// Reads the scenes of the device's folder.
    func loadScenes() throws(FileError) {
        for name in try files.names(in: deviceFolder + "/scenes") where name.hasPrefix("s.") {
            try open(String(name.dropFirst(2)))
        }
    }

    /// Uses the device's folder for the scenes of this process, after their files were moved there.
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

    /// Returns the folder of a scene. Its next capture has a greater sequence number than the scene's captures that are
    /// kept for a user of this device: a sign-in possibly moves them into the folder, and the wall clock was possibly set
    /// back since.
    private func sceneFolder(_ scene: String) throws(FileError) -> SceneFolder {
        let folder = SceneFolder(files, "\(deviceFolder)/scenes/s.\(scene)")
        for device in try files.names(in: "devices") where "devices/" + device != deviceFolder {
            let kept = try files.names(in: "devices/\(device)/scenes/s.\(scene)").compactMap(FileName.init)
            folder.continueSequence(after: kept.map(\.sequence).max() ?? 0)
        }
        return folder
    }

    /// Returns whether a scene's name has 1 to 64 of the characters `[A-Za-z0-9._-]`.
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

    /// Saves a scene's state. A state that equals the newest state is not sent again.
    func save(
        _ archive: StateArchive, in scene: String, _ interaction: Interaction, snapshot: [UInt8]? = nil, at now: Moment
    ) {
        readAccount()
        if case .locked = account {
            return loseState(of: scene, .init(.locked, "The device is locked, so the state was not saved."))
        }
        guard Self.isSceneName(scene) else {
            return loseState(of: "", Self.sceneNameInvalid)
        }
        do throws(FileError) {
            if scenes[scene] == nil { try open(scene) }
            try endRestore(in: scene, at: now)
            saveFailures[scene] = nil
            try capture(archive, in: scene, interaction, snapshot, at: now)
        } catch {
            note(error)
            saveFailures[scene] = failure(of: error)
        }
    }

    /// Notes that a state was not saved, or that the service does not take it. The status and the next flush say it.
    func loseState(of scene: String, _ error: PlacekeeperError) {
        problem = error
        saveFailures[scene] = error
    }

    /// Saves a scene's state that an app has encoded.
    func save(encoded bytes: [UInt8], in scene: String, _ interaction: Interaction, at now: Moment) {
        guard let archive = try? StateArchive(reading: bytes) else {
            return loseState(of: scene, .init(.stateRefused, "The state is no archive of the runtime."))
        }
        save(archive, in: scene, interaction, at: now)
    }

    /// Notes that the person interacts with a scene.
    func noteInteraction(in scene: String, at now: Moment) {
        guard openIfNeeded(scene) else { return }
        scenes[scene]?.interactedAt = now
        scenes[scene]?.hasInteracted = true
    }

    /// Does not restore the newest state of a scene on this device again, because the person discarded it.
    func discard(_ scene: String, at now: Moment) {
        guard openIfNeeded(scene), let state = scenes[scene] else { return }
        do throws(FileError) {
            if let served = state.restored { report(.abandoned, of: served, at: now) }
            if let newest = try newest(in: state.folder) { try state.folder.noteCrash(of: newest.capture.archive) }
        } catch {
            note(error)
        }
    }

    /// Opens a scene that was not used in this process. Returns false if its files cannot be used.
    func openIfNeeded(_ scene: String) -> Bool {
        readAccount()
        if case .locked = account { return false }
        guard Self.isSceneName(scene) else { return false }
        do throws(FileError) { if scenes[scene] == nil { try open(scene) } } catch { note(error) }
        return scenes[scene] != nil
    }

    private func capture(
        _ archive: StateArchive, in scene: String, _ interaction: Interaction, _ snapshot: [UInt8]?, at now: Moment
    ) throws(FileError) {
        guard let state = scenes[scene] else { return }
        let hasInteraction: Bool
        switch interaction.time {
        case .ago(let seconds):
            hasInteraction = true
            state.interactedAt = now.earlier(by: seconds.isFinite ? min(max(seconds, 0), Moment.maximumAge) : 0)
            state.restored = nil
        case .none:
            hasInteraction = state.hasInteracted
            if hasInteraction { state.restored = nil }
        }
        let newest = try newestContent(of: state)
        let isUnchanged = newest.map { $0.equals(archive) } ?? false
        // After work on another device, the same state is sent again: the person came back to this place.
        let isNews = !isUnchanged || (hasInteraction && state.headIsOwn != true && state.folder.captures.isEmpty)
        guard isNews else { return }
        let bytes: [UInt8]
        do {
            bytes = try archive.encoded()
        } catch {
            loseState(of: scene, .init(.stateRefused, "The state cannot be encoded: \(error)."))
            return
        }
        guard bytes.count <= SceneFolder.stateLimit else {
            return loseState(
                of: scene, .init(.stateRefused, "The state has \(bytes.count) bytes, and the limit is 1 MiB."))
        }
        state.noRoom = nil
        let restored = hasInteraction ? nil : state.restored
        let capture = Capture(
            archive: newUUID(), sequence: state.folder.nextSequence(at: now),
            // A glance is as old as the state that the person looks at.
            interactedAt: state.interactedAt ?? restored?.interactedAt ?? now,
            restored: restored.flatMap { served in
                served.revision.map { Capture.Restored(archive: served.id, revision: $0) }
            })
        try state.folder.add(capture, bytes)
        if let snapshot, !snapshotsAreOff, Self.type(of: snapshot) != nil {
            try state.folder.add(snapshot: snapshot, to: capture)
        }
        // The new file is on the disk before the files that it replaces are removed.
        for earlier in state.folder.captures where earlier.state == .pending && earlier.sequence < capture.sequence {
            guard try capture.replaces(earlier, in: state.folder) else { continue }
            try state.folder.remove(earlier)
        }
        state.newest = archive
        let firstSavedAt = state.firstSavedAt ?? now.uptime
        state.firstSavedAt = firstSavedAt
        state.dueAt = min(now.uptime + settings.sendDelay, firstSavedAt + 5 * settings.sendDelay)
    }

    /// Returns the content of the scene's newest state.
    private func newestContent(of state: SceneState) throws(FileError) -> StateArchive? {
        if let newest = state.newest { return newest }
        guard let (_, bytes) = try newest(in: state.folder) else { return nil }
        state.newest = try? StateArchive(reading: bytes)
        return state.newest
    }

    /// Returns the newest state of a scene on this device: a capture that waits, or else the last state.
    func newest(in folder: SceneFolder) throws(FileError) -> (capture: Capture, bytes: [UInt8])? {
        let last = try folder.last()
        for name in folder.captures.reversed() {
            if let last, last.capture.sequence > name.sequence { break }
            switch try folder.capture(name) {
            case .read(let capture, let bytes): return (capture, bytes)
            case .damaged: problem = PlacekeeperError(.fileDamaged, "A saved state was damaged on the disk.")
            case .gone, .newer: break
            }
        }
        return last
    }

    /// Sends everything that waits now.
    func makeDue(at now: Moment) {
        // An extension may have added files, also for scenes that the app has not opened.
        do throws(FileError) { try loadScenes() } catch { note(error) }
        for name in scenes.keys {
            if scenes[name]?.folder.waiting.isEmpty == false { scenes[name]?.dueAt = now.uptime }
        }
        makeListsDue(at: now)
        backoff.clearFailures()
    }
}

extension Capture {
    /// Returns whether this later capture replaces an earlier capture that was not sent. A glance does not replace work.
    fileprivate func replaces(_ earlier: FileName, in folder: SceneFolder) throws(FileError) -> Bool {
        guard restored != nil else { return true }
        guard case .read(let capture, _) = try folder.capture(earlier) else { return false }
        return capture.restored != nil
    }
}

extension StateArchive {
    /// Returns whether two archives differ at most in their time.
    fileprivate func equals(_ other: StateArchive) -> Bool {
        var copy = other
        copy.timestamp = timestamp
        return self == copy
    }
}
