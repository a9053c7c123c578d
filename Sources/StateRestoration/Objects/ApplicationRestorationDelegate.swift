/// The application's part. All have defaults: an app that answers nothing saves and restores nothing (row 1).
@MainActor
public protocol ApplicationRestorationDelegate: AnyObject {
    /// Whether the state is to be saved now: the runtime asks this method (row 77). By default it gives the answer of
    /// `shouldSaveApplicationState(_:)`, the older name of the same question. Every coder here is secure: an archive
    /// leads only to classes that the app has listed.
    func shouldSaveSecureApplicationState(_ coder: StateEncoder) -> Bool

    /// Whether the saved state is to be restored: the runtime asks this method (row 77). By default it gives the answer
    /// of `shouldRestoreApplicationState(_:)`.
    func shouldRestoreSecureApplicationState(_ coder: StateDecoder) -> Bool

    /// Whether the state is to be saved now. What is put into the coder can be read when it is to be restored (row 3).
    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool

    /// Whether the saved state is to be restored. The reserved keys tell who saved it (row 27).
    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool

    /// Saves what belongs to no object, before any object saves its own (row 2). A view controller that is encoded here
    /// is saved with it (row 65).
    func willEncodeRestorableState(with coder: StateEncoder)

    /// Brings back what `willEncodeRestorableState(with:)` saved, after every object was decoded (row 38).
    func didDecodeRestorableState(with coder: StateDecoder)

    /// Makes or finds a view controller that has no restoration class; nil goes on to look for it (row 15).
    func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)?

    /// Names the place that a person is at, so that a device that lays its screens out differently can go there too.
    /// False leaves it to the screens that are `PlaceProviding`.
    func encodePlace(with coder: PlaceEncoder) -> Bool

    /// Every object was created and decoded (row 37).
    func applicationFinishedRestoringState()
}

extension ApplicationRestorationDelegate {
    /// False.
    public func encodePlace(with coder: PlaceEncoder) -> Bool { false }
    /// Asks `shouldSaveApplicationState(_:)`.
    public func shouldSaveSecureApplicationState(_ coder: StateEncoder) -> Bool { shouldSaveApplicationState(coder) }
    /// Asks `shouldRestoreApplicationState(_:)`.
    public func shouldRestoreSecureApplicationState(_ coder: StateDecoder) -> Bool {
        shouldRestoreApplicationState(coder)
    }
    /// No.
    public func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { false }
    /// No.
    public func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool { false }
    /// Saves nothing.
    public func willEncodeRestorableState(with coder: StateEncoder) {}
    /// Takes nothing back.
    public func didDecodeRestorableState(with coder: StateDecoder) {}
    /// Nil: goes on to look for it.
    public func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? { nil }
    /// Does nothing.
    public func applicationFinishedRestoringState() {}
}
