/// The part of state restoration that the app implements. With the defaults, nothing is saved or restored (seed row 1).
@MainActor
public protocol ApplicationRestorationDelegate: AnyObject {
    /// Returns whether to save the state; the runtime calls this method (row 77). By default, calls
    /// `shouldSaveApplicationState(_:)`, its older name. All coders are secure: the runtime only creates objects of
    /// classes that the app has listed.
    func shouldSaveSecureApplicationState(_ coder: StateEncoder) -> Bool

    /// Returns whether to restore the saved state; the runtime calls this method (row 77). By default, calls
    /// `shouldRestoreApplicationState(_:)`.
    func shouldRestoreSecureApplicationState(_ coder: StateDecoder) -> Bool

    /// Returns whether to save the state. `shouldRestoreApplicationState(_:)` can read what this method writes to the
    /// coder (row 3).
    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool

    /// Returns whether to restore the saved state. The coder's reserved keys describe the app and device that saved it
    /// (row 27).
    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool

    /// Saves state that belongs to no object, before any object saves its state (row 2). View controllers that this
    /// method encodes are saved too (row 65).
    func willEncodeRestorableState(with coder: StateEncoder)

    /// Restores what `willEncodeRestorableState(with:)` saved, after all objects have decoded their state (row 38).
    func didDecodeRestorableState(with coder: StateDecoder)

    /// Makes or finds a view controller that has no restoration class. If this returns nil, the runtime tries the
    /// existing objects and the storyboard (row 15).
    func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)?

    /// Encodes the person's place, for devices with another layout. If this returns false, the runtime collects the
    /// steps from the screens that conform to `PlaceProviding`.
    func encodePlace(with coder: PlaceEncoder) -> Bool

    /// Called after all objects were created and their state was decoded (row 37).
    func applicationFinishedRestoringState()
}

extension ApplicationRestorationDelegate {
    /// Returns false.
    public func encodePlace(with coder: PlaceEncoder) -> Bool { false }
    /// Calls `shouldSaveApplicationState(_:)`.
    public func shouldSaveSecureApplicationState(_ coder: StateEncoder) -> Bool { shouldSaveApplicationState(coder) }
    /// Calls `shouldRestoreApplicationState(_:)`.
    public func shouldRestoreSecureApplicationState(_ coder: StateDecoder) -> Bool {
        shouldRestoreApplicationState(coder)
    }
    /// Returns false.
    public func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { false }
    /// Returns false.
    public func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool { false }
    /// Saves nothing.
    public func willEncodeRestorableState(with coder: StateEncoder) {}
    /// Restores nothing.
    public func didDecodeRestorableState(with coder: StateDecoder) {}
    /// Returns nil.
    public func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? { nil }
    /// Does nothing.
    public func applicationFinishedRestoringState() {}
}
