public import Foundation
import KeyedArchive

/// An object whose code saves and restores with `NSCoder`, as it was written for UIKit.
@MainActor
public protocol NSCoderStateRestoring: StateRestoring {
    /// Saves what is needed to show the object as it is now.
    func encodeRestorableState(with coder: NSCoder)
    /// Brings back what was saved.
    func decodeRestorableState(with coder: NSCoder)
}

extension NSCoderStateRestoring {
    /// Saves with an `NSCoder` on the coder.
    public func encodeRestorableState(with coder: StateEncoder) { encodeRestorableState(with: RestorationCoder(coder)) }
    /// Restores with an `NSCoder` on the coder.
    /// - Throws: what the object gave to `failWithError(_:)`.
    public func decodeRestorableState(with coder: StateDecoder) throws {
        let coder = RestorationCoder(coder)
        decodeRestorableState(with: coder)
        if let error = coder.error { throw error }
    }
}

/// Makes view controllers anew, reading what they saved with `NSCoder`.
@MainActor
public protocol NSCoderViewControllerRestoration: RestorationClass {
    /// Makes a view controller, as `ViewControllerRestoration` has it.
    static func viewController(
        withRestorationIdentifierPath path: [String], coder: NSCoder
    ) -> (any RestorableViewController)?
}

extension NSCoderViewControllerRestoration {
    /// Asks for what this protocol makes.
    public static func restoredObject(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)? {
        viewController(withRestorationIdentifierPath: path, coder: RestorationCoder(coder))
    }
}

/// The application's part with `NSCoder`.
@MainActor
public protocol NSCoderRestorationDelegate: ApplicationRestorationDelegate {
    /// Whether the state is to be saved now: the runtime asks this method (row 77). By default it gives the answer of
    /// `shouldSaveApplicationState(_:)`.
    func shouldSaveSecureApplicationState(_ coder: NSCoder) -> Bool
    /// Whether the saved state is to be restored: the runtime asks this method (row 77). By default it gives the answer of
    /// `shouldRestoreApplicationState(_:)`.
    func shouldRestoreSecureApplicationState(_ coder: NSCoder) -> Bool
    /// Whether the state is to be saved now (row 3).
    func shouldSaveApplicationState(_ coder: NSCoder) -> Bool
    /// Whether the saved state is to be restored.
    func shouldRestoreApplicationState(_ coder: NSCoder) -> Bool
    /// Saves what belongs to no object (row 2).
    func willEncodeRestorableState(with coder: NSCoder)
    /// Brings back what belongs to no object (row 38).
    func didDecodeRestorableState(with coder: NSCoder)
}

extension NSCoderRestorationDelegate {
    /// Saves nothing.
    public func willEncodeRestorableState(with coder: NSCoder) {}
    /// Takes nothing back.
    public func didDecodeRestorableState(with coder: NSCoder) {}
    /// No.
    public func shouldSaveApplicationState(_ coder: NSCoder) -> Bool { false }
    /// No.
    public func shouldRestoreApplicationState(_ coder: NSCoder) -> Bool { false }
    /// Asks `shouldSaveApplicationState(_:)`.
    public func shouldSaveSecureApplicationState(_ coder: NSCoder) -> Bool { shouldSaveApplicationState(coder) }
    /// Asks `shouldRestoreApplicationState(_:)`.
    public func shouldRestoreSecureApplicationState(_ coder: NSCoder) -> Bool { shouldRestoreApplicationState(coder) }
    /// Asks with an `NSCoder` on the coder.
    public func shouldSaveSecureApplicationState(_ coder: StateEncoder) -> Bool {
        shouldSaveSecureApplicationState(RestorationCoder(coder))
    }
    /// Asks with an `NSCoder` on the coder.
    public func shouldRestoreSecureApplicationState(_ coder: StateDecoder) -> Bool {
        shouldRestoreSecureApplicationState(RestorationCoder(coder))
    }
    /// Saves with an `NSCoder` on the coder.
    public func willEncodeRestorableState(with coder: StateEncoder) {
        willEncodeRestorableState(with: RestorationCoder(coder))
    }
    /// Restores with an `NSCoder` on the coder.
    public func didDecodeRestorableState(with coder: StateDecoder) {
        didDecodeRestorableState(with: RestorationCoder(coder))
    }
}
