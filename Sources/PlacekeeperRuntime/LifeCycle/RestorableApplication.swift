public import PlacekeeperArchive

/// The methods of the life cycle that the app implements, in addition to the methods of state restoration.
@MainActor
public protocol ApplicationLifeCycleDelegate: ApplicationRestorationDelegate {
    /// Creates the interface without any state, as a storyboard does.
    func loadInterface()
    /// The root view controllers of the windows.
    var roots: [any RestorableViewController] { get }
    /// Sets up everything that the app needs at launch, before state is restored (seed row 4).
    func willFinishLaunching()
    /// Is called at the end of a launch, whether or not state was restored. The app should show its window in this
    /// method.
    func didFinishLaunching(_ result: LaunchResult)
    /// The app's navigation, which restores the place of an archive from a device with another layout. Nil if the app
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
public enum LaunchResult: Sendable, Hashable {
    /// The storage has no archive.
    case nothingSaved
    /// The app declined to restore the archive.
    case declined
    /// State was restored.
    case restored(Restoration)
    /// Only the place of the archive can be restored, because the archive has another idiom or layout than this device or
    /// was saved by a newer version, or because the service gave the fidelity `place`. Call `restorePlace()` to restore the place.
    case placeOnly
    /// No part of the archive can be restored on this device. Either only the place could be restored but the archive
    /// has no place, or the service gave the fidelity `none`.
    case incompatible
    /// The device is locked (row 52). The process must exit when its work is done (row 75).
    case locked
    /// At least `crashThreshold` earlier launches did not finish restoring the archive. The archive was discarded (row
    /// 47). In developer mode the archive is kept, but this launch does not restore it (row 76).
    case crashedBefore
    /// The archive cannot be read or is too large, so it was quarantined. If quarantining failed, the process must exit
    /// (`RestorableApplication.hasToExit`).
    case unreadable(String)
}

/// Runs the life cycle of an app's state: saves, restores, keeps and discards the app's archive (seed rows 4, 46 to
/// 53).
@MainActor
public final class RestorableApplication {
    /// The settings of the system and the developer.
    public struct Configuration: Sendable {
        /// The device's idiom, layout and versions.
        public var device: RestorationContext
        /// The number of unfinished launches after which an archive is discarded instead of restored (row 47).
        public var crashThreshold = 1
        /// Whether the archive is kept for debugging: after it was restored, after a person ended the app (row 49),
        /// and after a launch that did not finish restoring it (row 76).
        public var isDeveloperMode = false
        /// Whether each step of saving and restoring is also written to the console, in addition to the environment's
        /// own log (row 76). The value is read when the `RestorableApplication` is created; a later change has no
        /// effect.
        public var isLogging = false
        /// Receives each line of the console log. The default writes to the standard error. The value is read when the
        /// `RestorableApplication` is created.
        public var console: @MainActor @Sendable (String) -> Void = ConsoleLog.writeToStandardError
        /// The size limit for archives, in bytes. At launch, a larger archive is quarantined.
        public var maximumArchiveSize = 16 << 20
        /// Returns the time, in seconds since the start of 2001, UTC.
        public var now: @MainActor @Sendable () -> Double

        /// Creates a configuration.
        /// - Parameters:
        ///   - device: The device's idiom, layout and versions.
        ///   - switches: Switches that were set from outside the app, such as `.ofProcess()`. By default, all
        ///     switches are off.
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
    /// The settings of the system and the developer.
    public var configuration: Configuration
    /// The image and the transition of the last launch.
    public private(set) var appearance = LaunchAppearance(image: .standard, transition: .none)
    private let delegate: any ApplicationLifeCycleDelegate
    private let storage: any ArchiveStorage
    private var pendingPlace: (archive: StateArchive, inUse: ArchiveInUse)?
    /// The archive that the launch restores. Nil after a newer archive was saved.
    private var inUse: ArchiveInUse?
    /// Whether the process must exit when its work in the background is done. This is the case if the device was
    /// locked at launch, or if the storage could neither read nor quarantine the archive. The interface does not have
    /// the person's state in this case. The process therefore never overwrites the archive, even if the device is
    /// unlocked later (rows 52 and 75).
    public private(set) var hasToExit = false

    /// Creates the life cycle of an app. The life cycle keeps a strong reference to the delegate.
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
    /// After the launch, an archive that was restored or declined is discarded. If restoration was extended, the
    /// archive is discarded when restoration is complete (row 79). After the result `placeOnly`, `restorePlace()`
    /// discards the archive. In developer mode, the archive is kept.
    /// - Parameter served: The fidelity that the service gave for the stored archive. Pass nil for the app's own
    ///   archive: the runtime then compares the archive's idiom and layout with those of the device.
    @discardableResult
    public func launch(served: RestorationFidelity? = nil) -> LaunchResult {
        delegate.loadInterface()
        delegate.willFinishLaunching()
        let result = restoreState(served)
        environment.log?.record(.launched(result))
        delegate.didFinishLaunching(result)
        if let inUse, pendingPlace == nil {
            environment.whenRestorationCompletes { [self] in inUse.end(keepsArchive: configuration.isDeveloperMode) }
        }
        return result
    }

    private func restoreState(_ served: RestorationFidelity?) -> LaunchResult {
        (hasToExit, inUse, pendingPlace) = (false, nil, nil)
        appearance = .of(restoring: false, snapshotMatches: false)
        do {
            guard let bytes = try storage.readArchive() else { return .nothingSaved }
            guard try attempts() < configuration.crashThreshold else {
                if !configuration.isDeveloperMode { try storage.discardArchive() }
                try storage.writeAttempts(0)
                return .crashedBefore
            }
            guard bytes.count <= configuration.maximumArchiveSize else {
                return try quarantine(
                    "It has \(bytes.count) bytes, and the limit is \(configuration.maximumArchiveSize).")
            }
            do {
                let archive = try StateArchive(
                    reading: bytes, limits: .init(maximumByteCount: configuration.maximumArchiveSize))
                return restore(archive, served, ArchiveInUse(bytes, in: storage))
            } catch {
                return try quarantine("\(error)")
            }
        } catch StorageError.locked {
            hasToExit = true
            return .locked
        } catch {
            // The archive may be valid, so the next save must not overwrite it. If quarantining fails, the process must
            // exit.
            hasToExit = (try? storage.quarantineArchive()) == nil
            return .unreadable("\(error)")
        }
    }

    /// Returns the number of unfinished launches, or 0 if the storage cannot read the number. Throws an error only if
    /// the device is locked.
    private func attempts() throws(StorageError) -> Int {
        do { return try storage.readAttempts() } catch .locked { throw .locked } catch { return 0 }
    }

    private func quarantine(_ reason: String) throws(StorageError) -> LaunchResult {
        try storage.quarantineArchive()
        return .unreadable(reason)
    }

    private func restore(
        _ archive: StateArchive, _ served: RestorationFidelity?, _ inUse: ArchiveInUse
    ) -> LaunchResult {
        let restorer = StateRestorer(environment, roots: { self.delegate.roots })
        switch configuration.device.fidelity(for: archive, served: served) {
        case .none: return .incompatible
        case .place:
            self.inUse = inUse
            guard restorer.isPlaceWanted(of: archive) else { return .declined }
            pendingPlace = (archive, inUse)
            return .placeOnly
        case .full: break
        }
        // This launch is counted first: if it does not finish restoring, the next launch treats it as a crash.
        inUse.beginAttempt()
        self.inUse = inUse
        let restoration = restorer.restore(archive)
        appearance = .of(restoring: !restoration.isDeclined, snapshotMatches: restoration.showsWhatWasSaved)
        return restoration.isDeclined ? .declined : .restored(restoration)
    }

    /// Restores the place of the archive through the app's own navigation, after a launch with the result
    /// `placeOnly`.
    /// - Returns: The screens that were reached. Nil if no place is pending, or if the app has no navigator.
    public func restorePlace() async -> PlaceRestoration? {
        guard let navigator = delegate.placeNavigator, let (archive, inUse) = pendingPlace.take() else { return nil }
        // This launch is counted before the navigation. A crash during the navigation therefore leaves an unfinished
        // launch in the count, and the next launch restores the place only if the count is below `crashThreshold`.
        inUse.beginAttempt()
        let restoration = await archive.restorePlace(through: navigator)
        if let screen = restoration?.stopped, let reason = restoration?.reason {
            environment.log?.record(.placeEnded(before: screen, reason))
        }
        inUse.end(keepsArchive: configuration.isDeveloperMode)
        return restoration
    }

    // MARK: - Leaving

    /// Saves the state. Call this method when the app goes to the background, or when the app's work in the background
    /// ends. The state is not saved if the app does not opt in, or if the process must exit (`hasToExit`; rows 52, 53
    /// and 75).
    /// - Returns: The archive that was saved. Nil if the app does not opt in, or if the process must exit.
    /// - Throws: A `PreservationError` that names the invalid identifier, the duplicate path or the ambiguous class
    ///   name, an `ArchiveWritingError`, or the storage's error. The earlier archive is kept, or is written back if
    ///   this launch has discarded it, unless the storage fails again.
    @discardableResult
    public func saveState() throws -> StateArchive? {
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
            let bytes = try archive.encoded()
            // The count of unfinished launches belongs to the earlier archive, so the count is reset before the new
            // archive is written. If the count cannot be reset, the earlier archive stays.
            try storage.writeAttempts(0)
            (storage as? any OmissionTelling)?.note(preserver.omittedValues)
            try storage.writeArchive(bytes)
            inUse.take()?.replace()
            return archive
        } catch {
            inUse?.putBack()
            inUse?.survive()
            throw error
        }
    }

    /// Returns the state of the present screens, and saves nothing. Nil if the app does not opt in, or if the state cannot
    /// be encoded.
    package func presentState() -> StateArchive? { hasToExit ? nil : try? preserver.preserve() }

    private var preserver: StatePreserver {
        StatePreserver(
            environment, roots: { self.delegate.roots }, device: configuration.device, timestamp: configuration.now())
    }

    /// Discards the archive, the quarantined archive, and the count of unfinished launches. Call this method when a
    /// person ends the app: if the state made the app unusable, the next launch starts without that state (rows 48 and
    /// 80). Does nothing in developer mode.
    public func forceQuit() {
        guard !configuration.isDeveloperMode else { return }
        (inUse, pendingPlace) = (nil, nil)
        try? storage.discardEverything()
    }
}
