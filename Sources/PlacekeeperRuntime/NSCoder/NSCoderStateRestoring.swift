public import Foundation
import PlacekeeperArchive

/// An object that saves and restores its state with `NSCoder`, as in UIKit.
@MainActor
public protocol NSCoderStateRestoring: StateRestoring {
    /// Saves the state that is needed to show the object as it is now.
    func encodeRestorableState(with coder: NSCoder)
    /// Restores the saved state.
    func decodeRestorableState(with coder: NSCoder)
}

extension NSCoderStateRestoring {
    /// Saves the state through an `NSCoder` that wraps the given coder.
    public func encodeRestorableState(with coder: StateEncoder) { encodeRestorableState(with: RestorationCoder(coder)) }
    /// Restores the state through an `NSCoder` that wraps the given coder.
    /// - Throws: The error that the object passed to `failWithError(_:)`.
    public func decodeRestorableState(with coder: StateDecoder) throws {
        let coder = RestorationCoder(coder)
        decodeRestorableState(with: coder)
        if let error = coder.error { throw error }
    }
}

/// A class that recreates view controllers and reads their state with `NSCoder`.
@MainActor
public protocol NSCoderViewControllerRestoration: RestorationClass {
    /// Makes a view controller. See `ViewControllerRestoration`.
    static func viewController(
        withRestorationIdentifierPath path: [String], coder: NSCoder
    ) -> (any RestorableViewController)?
}

extension NSCoderViewControllerRestoration {
    /// Calls `viewController(withRestorationIdentifierPath:coder:)` with an `NSCoder` that wraps the given coder.
    public static func restoredObject(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)? {
        viewController(withRestorationIdentifierPath: path, coder: RestorationCoder(coder))
    }
}

/// A restoration delegate that saves and restores with `NSCoder`.
@MainActor
public protocol NSCoderRestorationDelegate: ApplicationRestorationDelegate {
    /// Returns whether to save the state (row 77). By default, calls `shouldSaveApplicationState(_:)`.
    func shouldSaveSecureApplicationState(_ coder: NSCoder) -> Bool
    /// Returns whether to restore the saved state (row 77). By default, calls `shouldRestoreApplicationState(_:)`.
    func shouldRestoreSecureApplicationState(_ coder: NSCoder) -> Bool
    /// Returns whether to save the state (row 3).
    func shouldSaveApplicationState(_ coder: NSCoder) -> Bool
    /// Returns whether to restore the saved state.
    func shouldRestoreApplicationState(_ coder: NSCoder) -> Bool
    /// Saves state that belongs to no object (row 2).
    func willEncodeRestorableState(with coder: NSCoder)
    /// Restores state that belongs to no object (row 38).
    func didDecodeRestorableState(with coder: NSCoder)
}

extension NSCoderRestorationDelegate {
    /// Saves nothing.
    public func willEncodeRestorableState(with coder: NSCoder) {}
    /// Restores nothing.
    public func didDecodeRestorableState(with coder: NSCoder) {}
    /// Returns false.
    public func shouldSaveApplicationState(_ coder: NSCoder) -> Bool { false }
    /// Returns false.
    public func shouldRestoreApplicationState(_ coder: NSCoder) -> Bool { false }
    /// Calls `shouldSaveApplicationState(_:)`.
    public func shouldSaveSecureApplicationState(_ coder: NSCoder) -> Bool { shouldSaveApplicationState(coder) }
    /// Calls `shouldRestoreApplicationState(_:)`.
    public func shouldRestoreSecureApplicationState(_ coder: NSCoder) -> Bool { shouldRestoreApplicationState(coder) }
    /// Calls the `NSCoder` method of the same name with a coder that wraps the given one.
    public func shouldSaveSecureApplicationState(_ coder: StateEncoder) -> Bool {
        shouldSaveSecureApplicationState(RestorationCoder(coder))
    }
    /// Calls the `NSCoder` method of the same name with a coder that wraps the given one.
    public func shouldRestoreSecureApplicationState(_ coder: StateDecoder) -> Bool {
        shouldRestoreSecureApplicationState(RestorationCoder(coder))
    }
    /// Saves the state through an `NSCoder` that wraps the given coder.
    public func willEncodeRestorableState(with coder: StateEncoder) {
        willEncodeRestorableState(with: RestorationCoder(coder))
    }
    /// Restores the state through an `NSCoder` that wraps the given coder.
    public func didDecodeRestorableState(with coder: StateDecoder) {
        didDecodeRestorableState(with: RestorationCoder(coder))
    }
}
