public import PlacekeeperRuntime

/// A portable view. The user's changes to it are saved if it has an identifier (seed row 31).
@MainActor
open class View: RestorableView {
    /// The restoration identifier. The view is saved only if it is set.
    public final var restorationIdentifier: String?
    /// The subviews.
    public final var subviews: [View] = [] {
        didSet {
            for view in oldValue where view.superview === self { view.superview = nil }
            for view in subviews { view.superview = self }
        }
    }
    /// The superview.
    public private(set) final weak var superview: View?
    /// The view controller of which the view is a top-level view.
    public internal(set) final weak var owner: ViewController?

    /// Creates a view.
    public init() {}

    /// The superview, or else the view controller of which the view is a top-level view.
    public final var restorationParent: (any StateRestoring)? { superview ?? owner }
    /// The subviews.
    public final var restorableSubviews: [any RestorableView] { subviews }
    open func encodeRestorableState(with coder: StateEncoder) {}
    open func decodeRestorableState(with coder: StateDecoder) throws {}
    open func applicationFinishedRestoringState() {}
}
