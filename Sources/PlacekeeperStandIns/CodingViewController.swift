public import Foundation
public import PlacekeeperRuntime

/// A view controller whose subclasses save and restore their state with `NSCoder`.
@MainActor
open class CodingViewController: ViewController {
    /// Saves the state needed to show the view controller as it is now.
    open func encodeRestorableState(with coder: NSCoder) {}
    /// Restores the saved state.
    open func decodeRestorableState(with coder: NSCoder) {}

    public final override func encodeRestorableState(with coder: StateEncoder) {
        encodeRestorableState(with: RestorationCoder(coder))
    }
    public final override func decodeRestorableState(with coder: StateDecoder) throws {
        let coder = RestorationCoder(coder)
        decodeRestorableState(with: coder)
        if let error = coder.error { throw error }
    }
}

/// A view whose subclasses save and restore their state with `NSCoder`.
@MainActor
open class CodingView: View {
    /// Saves the changes that the user made to the view.
    open func encodeRestorableState(with coder: NSCoder) {}
    /// Restores the saved state.
    open func decodeRestorableState(with coder: NSCoder) {}

    public final override func encodeRestorableState(with coder: StateEncoder) {
        encodeRestorableState(with: RestorationCoder(coder))
    }
    public final override func decodeRestorableState(with coder: StateDecoder) throws {
        let coder = RestorationCoder(coder)
        decodeRestorableState(with: coder)
        if let error = coder.error { throw error }
    }
}
