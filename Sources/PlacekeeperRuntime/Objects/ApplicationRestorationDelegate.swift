/// The part of state restoration that the app implements. All methods have defaults, with which the app saves and
/// restores nothing (seed row 1).
@MainActor
public protocol ApplicationRestorationDelegate: AnyObject {
    /// Returns whether to save the state. The runtime calls this method (row 77). The default calls
    /// `shouldSaveApplicationState(_:)`, the older name of the same method. All coders are secure: the runtime makes
    /// only objects of classes that the app has listed.
    func shouldSaveSecureApplicationState(_ coder: StateEncoder) -> Bool

    /// Returns whether to restore the saved state. The runtime calls this method (row 77). The default calls
    /// `shouldRestoreApplicationState(_:)`.
    func shouldRestoreSecureApplicationState(_ coder: StateDecoder) -> Bool

    /// Returns whether to save the state. Values that this method writes to the coder can be read in
    /// `shouldRestoreApplicationState(_:)` (row 3).
    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool

    /// Returns whether to restore the saved state. The coder's reserved keys describe the app and the device that
    /// saved the state (row 27).
    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool

    /// Saves state that belongs to no object, before any object saves its state (row 2). A view controller that this
    /// method encodes is also saved (row 65).
    func willEncodeRestorableState(with coder: StateEncoder)

    /// Restores the state that `willEncodeRestorableState(with:)` saved, after all objects decoded their state
    /// (row 38).
    func didDecodeRestorableState(with coder: StateDecoder)

    /// Makes or finds a view controller that has no restoration class. If this method returns nil, the runtime searches
    /// the existing objects and the storyboard next (row 15).
    func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)?

    /// Encodes the person's place, so that a device with another layout can restore the place. If this method returns
    /// false, the runtime collects the steps of the place from the screens that conform to `PlaceProviding`.
    func encodePlace(with coder: PlaceEncoder) -> Bool

    /// The runtime calls this method after all objects were created and their state was decoded (row 37).
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
