public import PlacekeeperRuntime

/// The storage of a `RestorableApplication`, over a kept scene: each scene has its own archive and its own life cycle.
///
/// ```swift
/// let launch = await scene.launch()
/// let storage = KeptSceneStorage(scene, launch)
/// let life = RestorableApplication(
///     app, environment: environment, storage: storage, configuration: configuration)
/// await storage.launch(life)
/// ```
/// The client keeps the archive after it was restored, and counts unfinished launches. So discarding an archive after a
/// launch only ends its use in this process.
///
/// After a sign-out or another change of the account, launch the scene again, and make a new storage and a new life cycle:
/// this storage belongs to the account before, and saves nothing for the next one.
@MainActor
public final class KeptSceneStorage: ArchiveStorage {
    let scene: KeptScene
    private let served: Served?
    /// The number of the owner to whom the state belongs.
    let owner: Int
    private var archive: [UInt8]?

    /// Creates the storage for a launch of a scene.
    public convenience init(_ scene: KeptScene, _ launch: Launch) {
        self.init(scene, launch.restore, of: launch.owner)
    }

    /// Creates the storage for restoring a state that the person took.
    public convenience init(_ scene: KeptScene, restoring served: Served?) {
        self.init(scene, served, of: served?.owner ?? scene.account.owner)
    }

    private init(_ scene: KeptScene, _ served: Served?, of owner: Int) {
        self.scene = scene
        self.served = served
        self.owner = owner
        archive = served?.bytes
    }

    /// Launches the app with the state, and restores its place if only the place may be restored. A failure is reported.
    /// A success is reported when the restore has ended well, five seconds after the screens appear. If the app extends
    /// restoration, report the outcome when restoration is complete.
    /// - Parameter life: The life cycle that uses this storage.
    @discardableResult
    public func launch(_ life: RestorableApplication) async -> LaunchResult {
        if let served { scene.willShow(served) }
        let result = life.launch(served: served?.fidelity)
        guard let served else {
            // The first screen is no work of the person.
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

    /// Reports the outcome of `RestorableApplication.launch(served:)`. After the result `placeOnly`, report the result of
    /// `restorePlace()` instead.
    public func report(_ result: LaunchResult) {
        guard let served, let outcome = Outcome(result) else { return }
        scene.report(outcome, of: served)
    }

    /// Reports the outcome of `RestorableApplication.restorePlace()`.
    public func report(_ place: PlaceRestoration?) {
        guard let served else { return }
        scene.report(place.map(Outcome.init) ?? .abandoned, of: served)
    }

    // MARK: - ArchiveStorage

    /// The state that the launch restores, until the runtime discards it.
    public func readArchive() -> [UInt8]? { scene.account.owner == owner ? archive : nil }

    /// Saves the state of the scene. A changed state is the person's work, and an unchanged state is a view-only capture: see
    /// `Interaction.ifChanged`.
    public func writeArchive(_ bytes: [UInt8]) {
        archive = bytes
        scene.save(encoded: bytes, of: owner)
    }

    /// Ends the use of the archive in this process. The client keeps it for the next launch.
    public func discardArchive() { archive = nil }

    /// Reports that the archive cannot be restored.
    public func quarantineArchive() {
        archive = nil
        if let served { scene.report(.failed, of: served) }
    }

    /// Does not restore the state on this device again: a person ended the app.
    public func discardEverything() {
        archive = nil
        scene.discard(of: owner)
    }

    /// Always 0: the client itself does not restore a state again whose restore did not end.
    public func readAttempts() -> Int { 0 }

    /// Does nothing.
    public func writeAttempts(_ count: Int) {}
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
    /// The outcome of a launch of the runtime. Nil if nothing was restored yet.
    public init?(_ result: LaunchResult) {
        switch result {
        case .restored: self.init(.restored)
        case .declined: self.init(.abandoned)
        case .incompatible, .crashedBefore, .unreadable: self.init(.failed)
        case .nothingSaved, .placeOnly, .locked: return nil
        }
    }

    /// The outcome of restoring a place. Reaching a part of the place counts as restored.
    public init(_ place: PlaceRestoration) {
        self.init(
            place.reached.isEmpty && place.stopped != nil ? .failed : .restored, step: place.reached.count)
    }
}
