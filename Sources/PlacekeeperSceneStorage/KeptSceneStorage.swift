package import PlacekeeperArchive
package import PlacekeeperClient
package import PlacekeeperModels
package import PlacekeeperRuntime

/// Connects a `RestorableApplication` to a kept scene: each scene has its own archive and its own life cycle.
///
/// ```swift
/// let launch = await scene.launch()
/// let storage = KeptSceneStorage(scene, launch)
/// let life = RestorableApplication(
///     app, environment: environment, storage: storage, configuration: configuration)
/// await storage.launch(life)
/// ```
/// The client keeps the archive after the restore, and counts unfinished launches itself. Discarding the archive
/// therefore affects only this process.
///
/// After a sign-out or another change of the account, launch the scene again and create a new storage and life cycle.
/// This storage belongs to the old account, and saves nothing for the next one.
@MainActor
package final class KeptSceneStorage: ArchiveStorage {
    package let scene: KeptScene
    private let served: Served?
    /// Whether the system may have a snapshot of the state. It has none of another device's state or an older one.
    private let hasSnapshot: Bool
    /// The number of the state's owner.
    package let owner: Int
    private var archive: [UInt8]?

    /// Creates the storage for a launch of a scene.
    package convenience init(_ scene: KeptScene, _ launch: Launch) {
        let isOwn = launch.restore?.isOwn == true && launch.reason.code != .superseded
        self.init(scene, launch.restore, of: launch.owner, hasSnapshot: isOwn)
    }

    /// Creates the storage to restore a state that the user took.
    package convenience init(_ scene: KeptScene, restoring served: Served?) {
        self.init(scene, served, of: served?.owner ?? scene.account.owner, hasSnapshot: false)
    }

    private init(_ scene: KeptScene, _ served: Served?, of owner: Int, hasSnapshot: Bool) {
        self.scene = scene
        self.hasSnapshot = hasSnapshot
        self.served = served
        self.owner = owner
        archive = served?.bytes
    }

    /// Launches the app with the state, or restores only its place if no more is allowed. Failures are reported
    /// immediately, and success five seconds after the screens appear, or earlier at an interaction.
    ///
    /// If the app extends restoration, report the outcome once restoration is complete.
    /// - Parameter life: The life cycle that uses this storage.
    @discardableResult
    package func launch(_ life: RestorableApplication) async -> LaunchResult {
        if let served { scene.willShow(served) }
        let result = life.launch(served: served?.fidelity, hasSnapshot: hasSnapshot)
        guard let served else {
            // The first screen is not the user's work.
            if let first = life.presentState() { scene.noteShown(first, of: owner) }
            return result
        }
        if result == .placeOnly {
            scene.didShow(await life.restorePlace().map(Outcome.init) ?? .abandoned, of: served)
        } else if !life.environment.isRestorationExtended, let outcome = Outcome(result) {
            scene.didShow(outcome, of: served)
        }
        return result
    }

    /// Records what the app shows without the user's doing. The next state is compared with it.
    package func noteShown(_ archive: StateArchive) { scene.noteShown(archive, of: owner) }

    /// Reports the outcome of `RestorableApplication.launch(served:)`. After the result `placeOnly`, report the result
    /// of `restorePlace()` instead.
    package func report(_ result: LaunchResult) {
        guard let served, let outcome = Outcome(result) else { return }
        scene.report(outcome, of: served)
    }

    /// Reports the outcome of `RestorableApplication.restorePlace()`.
    package func report(_ place: PlaceRestoration?) {
        guard let served else { return }
        scene.report(place.map(Outcome.init) ?? .abandoned, of: served)
    }

    // MARK: - ArchiveStorage

    /// Returns the state to restore, until the runtime discards it.
    package func readArchive() -> [UInt8]? { scene.account.owner == owner ? archive : nil }

    /// Saves the state of the scene, whose bytes are an archive of the runtime.
    package func writeArchive(_ bytes: [UInt8]) {
        // An oversized archive is saved without its state, so it must be read as a whole first.
        guard let archive = try? StateArchive(reading: bytes, limits: .init(maximumByteCount: bytes.count)) else {
            return
        }
        write(archive, encoded: bytes)
    }

    /// Stops using the archive in this process. The client keeps it for the next launch.
    package func discardArchive() { archive = nil }

    /// Reports that the archive cannot be restored.
    package func quarantineArchive() {
        archive = nil
        if let served { scene.report(.failed, of: served) }
    }

    /// Stops restoring the state on this device, because the user ended the app.
    package func discardEverything() {
        archive = nil
        scene.discard(of: owner)
    }

    /// Always 0: the client itself stops restoring a state whose restore never ended.
    package func readAttempts() -> Int { 0 }

    /// Does nothing.
    package func writeAttempts(_ count: Int) {}
}

extension KeptSceneStorage: ArchiveWriting {
    /// Saves the state of the scene. A changed state counts as the user's work, and an unchanged state as a view-only
    /// capture: see `Interaction.ifChanged`.
    package func write(_ archive: StateArchive, encoded bytes: [UInt8]) {
        self.archive = bytes
        scene.save(archive, encoded: bytes, interaction: .ifChanged, of: owner)
    }
}

extension KeptSceneStorage: ObjectWatching {
    /// Returns the objects that the client leaves out. The client itself decides whether a launch is one too many.
    package func readLeftOut(of version: String?) -> LeftOutObjects {
        LeftOutObjects(paths: Set(served?.leftOut ?? []), isNew: false)
    }
    package func noteRestoring(_ path: String?) {
        if let served { scene.willRestore(path, of: served) }
    }
}

extension KeptSceneStorage: OmissionTelling {
    package func note(_ omissions: [OmittedValue]) {
        let told = omissions.map { value in
            let step = value.path.hasPrefix("place/") ? String(value.path.dropFirst(6)) : nil
            let name = step != nil || value.path.isEmpty ? value.key : "\(value.path)/\(value.key)"
            let isLarge = if case .leftOut = value.lint { true } else { false }
            return Placekeeper.Omission(
                scene: scene.name, screen: step, name: name, reason: isLarge ? .tooLarge : .unwritable)
        }
        scene.note(Set(told))
    }
}

extension Outcome {
    /// Creates the outcome of a launch of the runtime. `nil` if nothing was restored yet.
    package init?(_ result: LaunchResult) {
        switch result {
        case .restored: self.init(.restored)
        case .declined: self.init(.abandoned)
        case .incompatible, .crashedBefore, .unreadable: self.init(.failed)
        case .nothingSaved, .placeOnly, .locked: return nil
        }
    }
}
