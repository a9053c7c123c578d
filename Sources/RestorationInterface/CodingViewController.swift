public import Foundation
public import StateRestoration

/// A view controller whose subclasses save and restore with `NSCoder`.
@MainActor
open class CodingViewController: ViewController {
    /// Saves what is needed to show the view controller as it is now.
    open func encodeRestorableState(with coder: NSCoder) {}
    /// Brings back what was saved.
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

/// A view whose subclasses save and restore with `NSCoder`.
@MainActor
open class CodingView: View {
    /// Saves what a person changed.
    open func encodeRestorableState(with coder: NSCoder) {}
    /// Brings back what was saved.
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
