public import KeyedArchive

/// Restores the state of an app's interface from an archive: asks the delegate, makes or finds every object that was
/// saved, then lets each decode its state, and tells all when that is done (rows 14 to 24, 37).
@MainActor
public struct StateRestorer {
    private let environment: RestorationEnvironment
    private let roots: @MainActor () -> [any RestorableViewController]

    /// Prepares to restore.
    /// - Parameters:
    ///   - environment: what is known of the app.
    ///   - roots: gives the root view controllers of the windows. It is asked before objects are restored, and once
    ///     more at the end, to compare the visible interface with the saved one. It gives the same objects both times,
    ///     unless the app replaced them.
    public init(
        _ environment: RestorationEnvironment,
        roots: @escaping @MainActor () -> [any RestorableViewController]
    ) {
        self.environment = environment
        self.roots = roots
    }

    /// Restores an archive once.
    public func restore(_ archive: StateArchive) -> Restoration {
        let context = context(of: archive)
        let application = StateDecoder(context, path: "", state: archive.application)
        guard let delegate = willingDelegate(application) else { return Restoration(isDeclined: true) }
        let session = RestorationSession(environment, context, roots: roots())
        session.createAll()
        session.decodeAll()
        delegate.didDecodeRestorableState(with: application)
        for object in session.restored { object.applicationFinishedRestoringState() }
        delegate.applicationFinishedRestoringState()
        session.compareShown(roots())
        environment.log?.record(.finished)
        return session.result
    }

    /// Whether the app wants an archive of which only the place can be restored: without its word, nothing is (row 1).
    func isPlaceWanted(of archive: StateArchive) -> Bool {
        willingDelegate(StateDecoder(context(of: archive), path: "", state: archive.application)) != nil
    }

    private func context(of archive: StateArchive) -> DecodingContext {
        let context = DecodingContext(
            archive, storyboards: environment.storyboards, copyableClasses: environment.copyableClasses)
        context.report = { [log = environment.log] in log?.record($0) }
        return context
    }

    /// The delegate, if it wants what the application's coder tells of.
    private func willingDelegate(_ application: StateDecoder) -> (any ApplicationRestorationDelegate)? {
        if let delegate = environment.delegate, delegate.shouldRestoreSecureApplicationState(application) {
            return delegate
        }
        environment.log?.record(.restoringDeclined)
        return nil
    }
}

/// What became of an archive.
public struct Restoration: Sendable, Hashable {
    /// Whether the app did not want it.
    public var isDeclined = false
    /// Whether a person sees the same screens, with the same state, as when the state was saved.
    var showsWhatWasSaved = false
    /// The paths of objects that are back.
    public var restored: [String] = []
    /// The paths of objects that were saved and do not exist any more.
    public var missing: [String] = []
    /// The paths of objects that could not take their state.
    public var failed: [String] = []
}
