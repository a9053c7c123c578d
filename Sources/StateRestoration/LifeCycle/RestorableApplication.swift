public import KeyedArchive

/// The application's part in its own life, beside what it says of its state.
@MainActor
public protocol ApplicationLifeCycleDelegate: ApplicationRestorationDelegate {
    /// Makes the interface as it is without any state: what a storyboard would load.
    func loadInterface()
    /// The root view controllers of the windows.
    var roots: [any RestorableViewController] { get }
    /// Everything that launching needs is set up here, before state is restored (seed row 4).
    func willFinishLaunching()
    /// State is restored, or is not: the window is shown.
    func didFinishLaunching(_ result: LaunchResult)
    /// By which the place of a device with another layout is restored; nil when the app has no such way.
    var placeNavigator: (any PlaceNavigating)? { get }
}

extension ApplicationLifeCycleDelegate {
    /// Nothing.
    public func willFinishLaunching() {}
    /// Nothing.
    public func didFinishLaunching(_ result: LaunchResult) {}
    /// None.
    public var placeNavigator: (any PlaceNavigating)? { nil }
}

/// What a launch found.
public enum LaunchResult: Sendable, Hashable {
    /// Nothing was saved.
    case nothingSaved
    /// The app does not want it back.
    case declined
    /// State was restored.
    case restored(Restoration)
    /// Only the place of the state fits this device, for its layout or by the service's word, and waits for
    /// `restorePlace()`.
    case placeOnly
    /// Nothing of the state fits this device: it has no place, or the service says so.
    case incompatible
    /// The device is locked (row 52), and the process has to exit once its work is done (row 75).
    case locked
    /// An earlier launch did not survive it: it was thrown away (row 47), in developer mode only left out (row 76).
    case crashedBefore
    /// It cannot be read: it was set aside. If the storage could not do that either, the process has to exit
    /// (`RestorableApplication.hasToExit`).
    case unreadable(String)
}

/// The life of an app as far as its state is concerned: when it is saved, restored, kept and thrown away
/// (seed rows 4, 46 to 53).
@MainActor
public final class RestorableApplication {
    /// What the system and the developer have decided.
    public struct Configuration: Sendable {
        /// What the device is and runs.
        public var device: RestorationContext
        /// After so many launches that did not survive restoring it, an archive is thrown away (row 47).
        public var crashThreshold = 1
        /// Keeps the archive after it was restored, when a person ends the app (row 49), and when a launch did not survive
        /// it (row 76), to look for errors.
        public var isDeveloperMode = false
        /// Writes each step of saving and restoring to the console, beside the environment's own log (row 76). It counts
        /// when the application is made: a later change has no effect.
        public var isLogging = false
        /// Takes each line of the console's log: by default the standard error. It counts when the application is made.
        public var console: @MainActor @Sendable (String) -> Void = ConsoleLog.writeToStandardError
        /// The largest archive, in bytes, that is read.
        public var maximumArchiveSize = 4 << 20
        /// The time, in seconds since the start of 2001, UTC.
        public var now: @MainActor @Sendable () -> Double

        /// Tells what the device is and runs, and what time it is.
        /// - Parameters:
        ///   - device: the device and the app's version.
        ///   - switches: switches that were set from outside the app, such as `.ofProcess()`; by default none.
        ///   - now: the time, in seconds since 2001.
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

    /// What is known of the app.
    public let environment: RestorationEnvironment
    /// What the system and the developer have decided.
    public var configuration: Configuration
    /// What a person saw while the app launched.
    public private(set) var appearance = LaunchAppearance(image: .standard, transition: .none)
    private let delegate: any ApplicationLifeCycleDelegate
    private let storage: any ArchiveStorage
    private var pendingPlace: (archive: StateArchive, inUse: ArchiveInUse)?
    /// The archive that the launch restores; nil once another one was saved.
    private var inUse: ArchiveInUse?
    /// Whether the process has to exit once its work in the background is done: the device was locked at launch, or the
    /// storage could neither read the archive nor put it aside, so that the interface is not the one that the person left.
    /// The process saves nothing over the archive, even if the device is unlocked meanwhile (rows 52 and 75).
    public private(set) var hasToExit = false

    /// Makes an app's life. The delegate is kept.
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

    /// Launches: loads the interface, sets the app up, restores its state, and ends launching (row 4). The archive is
    /// discarded after that, and after restoration that was extended completes (row 79).
    /// - Parameter served: the fidelity that the service gave with the stored archive; nil for the app's own archive, whose
    ///   idiom and layout are compared with the device's.
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
            guard bytes.count <= configuration.maximumArchiveSize else { return try quarantine("It is too large.") }
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
            // The archive may be a good one: the next save is not to overwrite it.
            hasToExit = (try? storage.setArchiveAside()) == nil
            return .unreadable("\(error)")
        }
    }

    /// How many launches did not survive the archive; none is known of where the storage cannot tell.
    private func attempts() throws(StorageError) -> Int {
        do { return try storage.readAttempts() } catch .locked { throw .locked } catch { return 0 }
    }

    private func quarantine(_ reason: String) throws(StorageError) -> LaunchResult {
        try storage.setArchiveAside()
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
        // A launch that does not end counts as a crash.
        inUse.beginAttempt()
        self.inUse = inUse
        let restoration = restorer.restore(archive)
        appearance = .of(restoring: !restoration.isDeclined, snapshotMatches: restoration.showsWhatWasSaved)
        return restoration.isDeclined ? .declined : .restored(restoration)
    }

    /// Restores the place of the archive that the launch found for another layout, through the app's own navigation.
    public func restorePlace() async -> PlaceRestoration? {
        guard let navigator = delegate.placeNavigator, let (archive, inUse) = pendingPlace.take() else { return nil }
        // As with state, an app that does not survive the way is not sent there again.
        inUse.beginAttempt()
        let restoration = await archive.restorePlace(through: navigator)
        inUse.end(keepsArchive: configuration.isDeveloperMode)
        return restoration
    }

    // MARK: - Leaving

    /// The app goes to the background, or ends its work there: its state is saved, if it wants that and the archive
    /// could be read at launch (rows 52, 53 and 75).
    /// - Returns: the archive that was saved; nil when the app does not want one, or has to exit.
    /// - Throws: an error that names the duplicate identifier, or the storage's failure. The archive that was there before
    ///   is still there; one that this launch restored and discarded is there again, unless the storage refuses that too.
    @discardableResult
    public func saveState() throws -> StateArchive? {
        guard !hasToExit else {
            environment.log?.record(.hasToExit)
            return nil
        }
        do {
            let preserver = StatePreserver(
                environment, roots: { self.delegate.roots }, device: configuration.device,
                timestamp: configuration.now())
            guard let archive = try preserver.preserve() else {
                inUse?.survive()
                return nil
            }
            let bytes = try archive.encoded()
            // The count is of the earlier archive. Where it cannot be reset, the earlier archive stays.
            try storage.writeAttempts(0)
            try storage.writeArchive(bytes)
            inUse.take()?.replace()
            return archive
        } catch {
            inUse?.putBack()
            inUse?.survive()
            throw error
        }
    }

    /// A person ends the app: all of its state is thrown away, archives that were set aside included. A person whom
    /// that state kept from using the app starts afresh (rows 48 and 80).
    public func forceQuit() {
        guard !configuration.isDeveloperMode else { return }
        (inUse, pendingPlace) = (nil, nil)
        try? storage.discardEverything()
    }
}
