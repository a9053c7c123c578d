public import StateRestoration

/// A view of no platform's. A person's own changes to it are saved if it has an identifier (row 31).
@MainActor
open class View: RestorableView {
    /// Nil until it is set: then the view is saved.
    public final var restorationIdentifier: String?
    /// The views inside it.
    public final var subviews: [View] = [] {
        didSet {
            for view in oldValue where view.superview === self { view.superview = nil }
            for view in subviews { view.superview = self }
        }
    }
    /// What it stands in.
    public private(set) final weak var superview: View?
    /// The view controller whose view it is, unless it stands in another view.
    public internal(set) final weak var owner: ViewController?

    /// Makes a view.
    public init() {}

    /// What its path comes after.
    public final var restorationParent: (any StateRestoring)? { superview ?? owner }
    /// The views inside this one.
    public final var restorableSubviews: [any RestorableView] { subviews }
    open func encodeRestorableState(with coder: StateEncoder) {}
    open func decodeRestorableState(with coder: StateDecoder) throws {}
    open func applicationFinishedRestoringState() {}
}
