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
    /// The state is for another layout, and its place waits for `restorePlace()`.
    case placeOnly
    /// It is for another layout, and has no place.
    case incompatible
    /// The device is locked (row 52).
    case locked
    /// A launch before this one did not survive it: it was thrown away (row 47).
    case crashedBefore
    /// It cannot be read: it was set aside.
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
        /// Keeps the archive after it was restored and when a person ends the app, to look for errors (row 49).
        public var isDeveloperMode = false
        /// The largest archive, in bytes, that is read.
        public var maximumArchiveSize = 4 << 20
        /// The time, in seconds since the start of 2001, UTC.
        public var now: @MainActor @Sendable () -> Double

        /// Tells what the device is and runs, and what time it is.
        public init(device: RestorationContext, now: @escaping @MainActor @Sendable () -> Double) {
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
    private var pendingPlace: StateArchive?
    /// Whether state may be saved: not while what is there could not be read (row 52).
    private var maySave = true

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
    }

    // MARK: - Launching

    /// Launches: loads the interface, sets the app up, restores its state, and ends launching (row 4).
    @discardableResult
    public func launch() -> LaunchResult {
        delegate.loadInterface()
        delegate.willFinishLaunching()
        let result = restoreState()
        environment.log?.record(.launched(result))
        delegate.didFinishLaunching(result)
        return result
    }

    private func restoreState() -> LaunchResult {
        maySave = true
        appearance = .of(restoring: false, snapshotMatches: false)
        do {
            guard let bytes = try storage.readArchive() else { return .nothingSaved }
            guard try storage.readAttempts() < configuration.crashThreshold else {
                try storage.discardArchive()
                try storage.writeAttempts(0)
                return .crashedBefore
            }
            guard bytes.count <= configuration.maximumArchiveSize else { return try setAside("It is too large.") }
            do {
                return try restore(
                    try StateArchive(reading: bytes, limits: .init(maximumByteCount: configuration.maximumArchiveSize)))
            } catch let error as ArchiveError {
                return try setAside("\(error)")
            }
        } catch let error as StorageError {
            maySave = error != .locked
            return error == .locked ? .locked : .unreadable("\(error)")
        } catch {
            return .unreadable("\(error)")
        }
    }

    private func setAside(_ reason: String) throws -> LaunchResult {
        try storage.setArchiveAside()
        return .unreadable(reason)
    }

    private func restore(_ archive: StateArchive) throws -> LaunchResult {
        switch configuration.device.fidelity(for: archive) {
        case .none: return .incompatible
        case .place:
            guard StateRestorer(environment, roots: delegate.roots).isPlaceWanted(of: archive) else {
                if !configuration.isDeveloperMode { try storage.discardArchive() }
                return .declined
            }
            pendingPlace = archive
            return .placeOnly
        case .full: break
        }
        // Read again only by a launch after one that did not get as far as to take it back.
        try storage.writeAttempts(try storage.readAttempts() + 1)
        let restoration = StateRestorer(environment, roots: delegate.roots).restore(archive)
        appearance = .of(restoring: !restoration.isDeclined, snapshotMatches: !archive.ignoresSnapshot)
        environment.whenRestorationCompletes { [self] in
            // The archive was for this launch (row 46).
            try? storage.writeAttempts(0)
            if !configuration.isDeveloperMode { try? storage.discardArchive() }
        }
        return restoration.isDeclined ? .declined : .restored(restoration)
    }

    /// Restores the place of the archive that the launch found for another layout, through the app's own navigation.
    public func restorePlace() async -> PlaceRestoration? {
        guard let archive = pendingPlace.take(), let navigator = delegate.placeNavigator else { return nil }
        // As with state, an app that does not survive the way is not sent there again.
        try? storage.writeAttempts((try? storage.readAttempts()).map { $0 + 1 } ?? 1)
        let restoration = await archive.restorePlace(through: navigator)
        try? storage.writeAttempts(0)
        if !configuration.isDeveloperMode { try? storage.discardArchive() }
        return restoration
    }

    // MARK: - Leaving

    /// The app goes to the background, or ends what it did there: its state is saved, if it wants that and was not kept
    /// from reading what is there (rows 52 and 53).
    /// - Returns: the archive that was saved.
    /// - Throws: what is wrong with the app's identifiers or with the storage. What was saved before is still there.
    @discardableResult
    public func saveState() throws -> StateArchive? {
        guard maySave else { return nil }
        let preserver = StatePreserver(
            environment, roots: delegate.roots, device: configuration.device, timestamp: configuration.now())
        guard let archive = try preserver.preserve() else { return nil }
        try storage.writeArchive(try archive.encoded())
        try storage.writeAttempts(0)
        return archive
    }

    /// A person ends the app: its state is thrown away, so that one who is stuck starts afresh (row 48).
    public func forceQuit() {
        guard !configuration.isDeveloperMode else { return }
        try? storage.discardArchive()
    }
}
