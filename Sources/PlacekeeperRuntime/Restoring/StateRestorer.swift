public import PlacekeeperArchive

/// Restores the state of an app's interface from an archive: asks the delegate whether to restore, makes or finds all
/// saved objects, decodes their state, and tells them when restoration has finished (seed rows 14 to 24, 37).
@MainActor
public struct StateRestorer {
    private let environment: RestorationEnvironment
    private let roots: @MainActor () -> [any RestorableViewController]
    private let watch: ObjectWatch?

    /// Creates a restorer.
    /// - Parameters:
    ///   - environment: The app's environment.
    ///   - roots: Returns the windows' root view controllers. Called before objects are restored, and again at the end
    ///     to compare the visible interface with the saved one. Both calls should return the same objects, unless the
    ///     app replaced a root view controller.
    public init(
        _ environment: RestorationEnvironment,
        roots: @escaping @MainActor () -> [any RestorableViewController]
    ) {
        self.init(environment, watch: nil, roots: roots)
    }

    /// Creates a restorer that tells a storage which object it is restoring.
    init(
        _ environment: RestorationEnvironment, watch: ObjectWatch?,
        roots: @escaping @MainActor () -> [any RestorableViewController]
    ) {
        self.environment = environment
        self.roots = roots
        self.watch = watch
    }

    /// Restores an archive. Call this once.
    public func restore(_ archive: StateArchive) -> Restoration {
        let context = context(of: archive)
        let application = StateDecoder(context, path: "", state: archive.application)
        guard let delegate = willingDelegate(application) else { return Restoration(isDeclined: true) }
        // The session does not keep the context alive.
        environment.waitingPresentations = []
        return withExtendedLifetime(context) {
            let session = RestorationSession(environment, context, roots: roots(), watch)
            session.createAll()
            session.decodeAll()
            watch?.pause()
            delegate.didDecodeRestorableState(with: application)
            session.finishAll()
            watch?.pause()
            delegate.applicationFinishedRestoringState()
            session.compareShown(roots())
            environment.log?.record(.finished)
            return session.result
        }
    }

    /// Returns whether the app opts in to restoring an archive (row 1). Called for an archive that cannot be restored
    /// in full.
    func isWanted(_ archive: StateArchive) -> Bool {
        willingDelegate(StateDecoder(context(of: archive), path: "", state: archive.application)) != nil
    }

    private func context(of archive: StateArchive) -> DecodingContext {
        let context = DecodingContext(
            archive, storyboards: environment.storyboards, copyableClasses: environment.copyableClasses)
        context.report = { [log = environment.log] in log?.record($0) }
        context.wait = { [weak environment] in environment?.waitingPresentations.append($0) }
        return context
    }

    /// Returns the delegate if it opts in to restoring the archive.
    private func willingDelegate(_ application: StateDecoder) -> (any ApplicationRestorationDelegate)? {
        if let delegate = environment.delegate, delegate.shouldRestoreSecureApplicationState(application) {
            return delegate
        }
        environment.log?.record(.restoringDeclined)
        return nil
    }
}

/// The result of restoring an archive.
public struct Restoration: Sendable, Equatable {
    /// Whether the app declined to restore the archive.
    public var isDeclined = false
    /// Whether the visible screens and their state are the same as when the state was saved.
    var showsWhatWasSaved = false
    /// The paths of objects that were found or made.
    public var restored: [String] = []
    /// The paths of saved objects that were neither found nor made.
    public var missing: [String] = []
    /// The paths of objects that failed to decode their state.
    public var failed: [String] = []
}
