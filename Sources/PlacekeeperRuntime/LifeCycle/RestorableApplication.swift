public import PlacekeeperArchive

/// An app's life cycle methods, in addition to the methods of state restoration.
@MainActor
public protocol ApplicationLifeCycleDelegate: ApplicationRestorationDelegate {
    /// Creates the interface without any state, as a storyboard would.
    func loadInterface()
    /// The windows' root view controllers.
    var roots: [any RestorableViewController] { get }
    /// Sets up everything that the app needs before state is restored (seed row 4).
    func willFinishLaunching()
    /// Called at the end of every launch, whether or not state was restored. Show the app's window here.
    func didFinishLaunching(_ result: LaunchResult)
    /// The app's navigation, which restores the place from an archive of a device with another layout. `nil` if the app
    /// cannot restore places.
    var placeNavigator: (any PlaceNavigating)? { get }
}

extension ApplicationLifeCycleDelegate {
    /// Does nothing.
    public func willFinishLaunching() {}
    /// Does nothing.
    public func didFinishLaunching(_ result: LaunchResult) {}
    /// Nil: the app cannot restore places.
    public var placeNavigator: (any PlaceNavigating)? { nil }
}

/// The result of a launch.
public enum LaunchResult: Sendable, Equatable {
    /// The storage has no archive.
    case nothingSaved
    /// The app declined to restore the archive.
    case declined
    /// State was restored.
    case restored(Restoration)
    /// Only the place can be restored: the archive's idiom or layout differs from this device's, a newer version saved
    /// it, or the service served it with the fidelity `place`. Call `restorePlace()` to restore the place.
    case placeOnly
    /// Nothing can be restored on this device: only the place could be, but the archive has none; the archive has a
    /// newer state version; or the service served it with the fidelity `none`. The archive is discarded.
    case incompatible
    /// The device is locked (row 52). The process must exit when its work is done (row 75).
    case locked
    /// At least `crashThreshold` launches did not finish restoring the archive, so it was discarded (row 47). In
    /// developer mode the archive is kept, but this launch does not restore it (row 76).
    case crashedBefore
    /// The archive is unreadable or too large, so it was quarantined. If quarantining failed, the process must exit
    /// (`RestorableApplication.hasToExit`).
    case unreadable(String)
}

/// Saves and restores an app's state over its life cycle, and decides when the archive is kept or discarded (seed rows
/// 4, 46 to 53).
@MainActor
public final class RestorableApplication {
    /// Settings for the device and for development.
    public struct Configuration: Sendable {
        /// The device's idiom, layout and versions.
        public var device: RestorationContext
        /// The number of unfinished launches after which an archive is discarded instead of restored (row 47).
        public var crashThreshold = 1
        /// Whether the archive is kept for debugging: after it was restored, after a force quit (row 49), and after a
        /// launch that did not finish restoring it (row 76). The end of the process while restoration is extended does
        /// not count as a crash.
        public var isDeveloperMode = false
        /// Whether each step of saving and restoring is also written to the console, in addition to the environment's
        /// own log (row 76). Read when the `RestorableApplication` is created; later changes have no effect.
        public var isLogging = false
        /// Receives each line of the console log. Writes to standard error by default. Read when the
        /// `RestorableApplication` is created.
        public var console: @MainActor @Sendable (String) -> Void = ConsoleLog.writeToStandardError
        /// The maximum archive size, in bytes. A larger archive is not saved, and is quarantined at launch.
        public var maximumArchiveSize = Configuration.standardArchiveSize
        static let standardArchiveSize = 16 << 20
        /// Returns the time, in seconds since the start of 2001, UTC.
        public var now: @MainActor @Sendable () -> Double

        /// Creates a configuration.
        /// - Parameters:
        ///   - device: The device's idiom, layout and versions.
        ///   - switches: Switches set from outside the app, such as `.ofProcess()`. All off by default.
        ///   - now: Returns the time, in seconds since the start of 2001, UTC.
        public init(
            device: RestorationContext, switches: RestorationSwitches = RestorationSwitches(),
            now: @escaping @MainActor @Sendable () -> Double
        ) {
            isLogging = switches.isLogging
            isDeveloperMode = switches.isDeveloperMode
            self.device = device
            self.now = now
        }
    }

    /// The app's restoration classes, storyboards, registered objects and log.
    public let environment: RestorationEnvironment
    /// Settings for the device and for development.
    public var configuration: Configuration
    /// The image and transition of the last launch.
    public private(set) var appearance = LaunchAppearance(image: .standard, transition: .none)
    private let delegate: any ApplicationLifeCycleDelegate
    private let storage: any ArchiveStorage
    private var pendingPlace: (archive: StateArchive, inUse: ArchiveInUse)?
    /// The archive that the launch restores. `nil` once a newer archive was saved.
    private var inUse: ArchiveInUse?
    /// Whether the process must exit when its background work is done: the device was locked at launch, or the storage
    /// could neither read nor quarantine the archive. The interface then lacks the person's state, so the process never
    /// overwrites the archive, even if the device is unlocked later (rows 52 and 75).
    public private(set) var hasToExit = false
    private var hasLaunched = false
    /// Tells the storage which object the launch is restoring.
    private var watch: ObjectWatch?

    /// Creates the life cycle of an app. Keeps a strong reference to the delegate.
    public init(
        _ delegate: any ApplicationLifeCycleDelegate, environment: RestorationEnvironment,
        storage: any ArchiveStorage, configuration: Configuration
    ) {
        self.delegate = delegate
        self.environment = environment
        self.storage = storage
        self.configuration = configuration
        environment.delegate = delegate
        if configuration.isLogging { environment.console = ConsoleLog(write: configuration.console) }
    }

    // MARK: - Launching

    /// Launches the app: loads the interface, sets the app up, restores its state, and finishes launching (row 4).
    ///
    /// After the launch, an archive that was restored, declined or incompatible is discarded. If restoration was
    /// extended, this happens when restoration is complete (row 79). After the result `placeOnly`, `restorePlace()` discards the
    /// archive. In developer mode, the archive is kept.
    /// - Parameters:
    ///   - served: The fidelity with which the service served the stored archive. Pass nil for the app's own archive; the
    ///     runtime then compares the archive's idiom, layout and versions with the device's.
    ///   - hasSnapshot: Whether the system took a snapshot on this device when the stored archive was saved. Pass false
    ///     for another device's archive, or if the app was in front when it saved the state.
    @discardableResult
    public func launch(served: RestorationFidelity? = nil, hasSnapshot: Bool = true) -> LaunchResult {
        hasLaunched = true
        delegate.loadInterface()
        delegate.willFinishLaunching()
        let result = restoreState(served)
        if case .restored(let restoration) = result {
            let matches = hasSnapshot && restoration.showsWhatWasSaved
            appearance = .of(restoring: true, snapshotMatches: matches)
        }
        environment.log?.record(.launched(result))
        delegate.didFinishLaunching(result)
        // In developer mode, ending the process while restoration is extended is no crash (row 49).
        if configuration.isDeveloperMode, pendingPlace == nil { inUse?.survive() }
        if let inUse, pendingPlace == nil {
            environment.whenRestorationCompletes { [self] in inUse.end(keepsArchive: configuration.isDeveloperMode) }
        }
        return result
    }

    /// Launches the app without restoring its state, because the user has opened something else. The next save replaces the
    /// stored archive.
    package func launchWithoutRestoring() -> LaunchResult {
        hasLaunched = true
        delegate.loadInterface()
        delegate.willFinishLaunching()
        environment.log?.record(.launched(.declined))
        delegate.didFinishLaunching(.declined)
        return .declined
    }

    private func restoreState(_ served: RestorationFidelity?) -> LaunchResult {
        (hasToExit, inUse, pendingPlace) = (false, nil, nil)
        appearance = .of(restoring: false, snapshotMatches: false)
        do {
            guard let bytes = try storage.readArchive() else { return .nothingSaved }
            let leftOut = watching?.readLeftOut(of: configuration.device.bundleVersion)
            watch = watching.map { ObjectWatch($0, leavingOut: leftOut?.paths ?? []) }
            // If the last launch ended in an object's code, the others may be restored without it.
            guard try attempts() < configuration.crashThreshold || leftOut?.isNew == true else {
                try giveUp(bytes)
                try storage.writeAttempts(0)
                return .crashedBefore
            }
            guard bytes.count <= configuration.maximumArchiveSize else {
                return try quarantine(Self.tooLarge(bytes, configuration.maximumArchiveSize))
            }
            do {
                let archive = try StateArchive(
                    reading: bytes, limits: .init(maximumByteCount: configuration.maximumArchiveSize))
                return restore(archive, served, ArchiveInUse(bytes, in: storage, environment))
            } catch {
                return try quarantine("\(error)")
            }
        } catch StorageError.locked {
            hasToExit = true
            return .locked
        } catch {
            // The archive may be valid, so the next save must not overwrite it. If quarantining fails, the process must
            // exit.
            hasToExit = (try? quarantine("\(error)")) == nil
            return .unreadable("\(error)")
        }
    }

    private var watching: (any ObjectWatching)? { storage as? any ObjectWatching }

    /// Returns the number of unfinished launches, or 0 if the storage cannot read it. Throws only if the device is
    /// locked.
    private func attempts() throws(StorageError) -> Int {
        do { return try storage.readAttempts() } catch .locked { throw .locked } catch { return 0 }
    }

    private func quarantine(_ reason: String) throws(StorageError) -> LaunchResult {
        try storage.quarantineArchive()
        environment.log?.record(.quarantined(reason: reason))
        return .unreadable(reason)
    }

    /// Discards an archive that earlier launches did not finish restoring. In developer mode, keeps it for a later
    /// launch, and a copy in quarantine, which the next save does not overwrite (row 76).
    private func giveUp(_ bytes: [UInt8]) throws(StorageError) {
        guard configuration.isDeveloperMode else {
            try storage.discardArchive()
            environment.log?.record(.discarded)
            return
        }
        _ = try quarantine("an earlier launch did not finish restoring it")
        try? storage.writeArchive(bytes)
    }

    private func restore(
        _ archive: StateArchive, _ served: RestorationFidelity?, _ inUse: ArchiveInUse
    ) -> LaunchResult {
        let restorer = StateRestorer(environment, watch: watch) { self.delegate.roots }
        switch fidelity(for: archive, served) {
        case .none:
            // The app may read the archive before it is discarded (row 86).
            inUse.isRestorable = false
            inUse.beginAttempt()
            self.inUse = inUse
            return restorer.isWanted(archive) ? .incompatible : .declined
        case .place:
            self.inUse = inUse
            guard restorer.isWanted(archive) else { return .declined }
            pendingPlace = (archive, inUse)
            return .placeOnly
        case .full: break
        }
        // Count this launch first: if it does not finish, the next launch treats it as a crash.
        inUse.beginAttempt()
        self.inUse = inUse
        var restoration = restorer.restore(archive)
        // A snapshot of another layout cannot match.
        if archive.layout != configuration.device.layout { restoration.showsWhatWasSaved = false }
        return restoration.isDeclined ? .declined : .restored(restoration)
    }

    /// Returns how much of an archive to restore. The device's own state in another layout is restored in full if the
    /// app cannot restore places (row 86).
    private func fidelity(for archive: StateArchive, _ served: RestorationFidelity?) -> RestorationFidelity {
        guard served == nil, delegate.placeNavigator == nil else {
            return configuration.device.fidelity(for: archive, served: served)
        }
        var device = configuration.device
        device.layout = nil
        return device.fidelity(for: archive)
    }

    /// Restores the archive's place through the app's own navigation. Call this after a launch with the result
    /// `placeOnly`.
    /// - Returns: The screens that were reached. `nil` if no place is pending, or if the app has no navigator.
    public func restorePlace() async -> PlaceRestoration? {
        guard let navigator = delegate.placeNavigator, let (archive, inUse) = pendingPlace.take() else { return nil }
        // Count this launch before navigating. If navigation crashes, the next launch restores the place only if the
        // count is below `crashThreshold`.
        inUse.beginAttempt()
        let restoration = await archive.restorePlace(through: navigator)
        if let screen = restoration?.stopped, let reason = restoration?.reason {
            environment.log?.record(.placeEnded(before: screen, reason))
        }
        inUse.end(keepsArchive: configuration.isDeveloperMode)
        return restoration
    }

    // MARK: - Leaving

    /// Saves the state. Call this when the app goes to the background, or when its background work ends. Nothing is
    /// saved before `launch(served:hasSnapshot:)`, since the interface then lacks the stored state, nor if the app does
    /// not opt in, or if the process must exit (`hasToExit`; rows 52, 53 and 75).
    /// - Returns: The saved archive. `nil` if nothing is saved.
    /// - Throws: A `PreservationError` that names the invalid identifier, the duplicate path, the ambiguous class name,
    ///   or the largest value of an archive that no launch could read; an `ArchiveWritingError`; or the storage's error.
    ///   The old archive is kept, or written back if this launch discarded it, unless the storage fails again.
    @discardableResult
    public func saveState() throws -> StateArchive? {
        guard hasLaunched else {
            environment.log?.record(.notLaunched)
            return nil
        }
        guard !hasToExit else {
            environment.log?.record(.hasToExit)
            return nil
        }
        do {
            let preserver = preserver
            guard let archive = try preserver.preserve() else {
                inUse?.survive()
                return nil
            }
            let bytes = try restorableBytes(of: archive)
            // The count belongs to the old archive, so reset it before writing the new one. If resetting fails, the old
            // archive is kept.
            try storage.writeAttempts(0)
            (storage as? any OmissionTelling)?.note(preserver.omittedValues)
            if let storage = storage as? any ArchiveWriting {
                storage.write(archive, encoded: bytes)
            } else {
                try storage.writeArchive(bytes)
            }
            environment.log?.record(.written(bytes: bytes.count))
            inUse.take()?.replace()
            return archive
        } catch {
            inUse?.putBack()
            inUse?.survive()
            throw error
        }
    }

    /// Keeps the restored archive for the next launch. Call this instead of `saveState()` if the restore lacked objects, and
    /// nothing has changed since.
    package func keepState() {
        inUse?.putBack()
        inUse?.survive()
    }

    /// Returns an archive's bytes, if a launch can read them (row 84).
    private func restorableBytes(of archive: StateArchive) throws -> [UInt8] {
        let bytes = try archive.encoded()
        let limit = configuration.maximumArchiveSize
        // The client keeps the place of a state that is larger than this.
        if storage is any OmissionTelling, limit >= Configuration.standardArchiveSize { return bytes }
        guard bytes.count <= limit else { throw archive.unrestorable(Self.tooLarge(bytes, limit)) }
        do {
            _ = try StateArchive(reading: bytes, limits: .init(maximumByteCount: limit))
        } catch {
            throw archive.unrestorable("\(error)")
        }
        return bytes
    }

    private static func tooLarge(_ bytes: [UInt8], _ limit: Int) -> String {
        "It has \(bytes.count) bytes, and the limit is \(limit)."
    }

    /// Returns the state of the current screens without saving it. `nil` if the app does not opt in, if the process
    /// must exit, or if the state cannot be encoded.
    package func presentState() -> StateArchive? { hasToExit ? nil : try? preserver.preserve() }

    private var preserver: StatePreserver {
        StatePreserver(
            environment, roots: { self.delegate.roots }, device: configuration.device, timestamp: configuration.now())
    }

    /// Discards the archive, the quarantined archive, and the count of unfinished launches. Call this when a person
    /// force-quits the app: if the state made the app unusable, the next launch starts without it (rows 48 and 80).
    /// Does nothing in developer mode.
    public func forceQuit() {
        guard !configuration.isDeveloperMode else { return }
        (inUse, pendingPlace) = (nil, nil)
        guard (try? storage.discardEverything()) != nil else { return }
        environment.log?.record(.forceQuit)
    }
}
