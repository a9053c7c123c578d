/// A view controller whose state is saved and restored: a screen, or a container of screens.
@MainActor
public protocol RestorableViewController: StateRestoring {
    /// Loads the view if necessary. Called before the identifier, views and children are read, because an app may set
    /// them in `viewDidLoad` (seed row 71).
    func loadViewIfNeeded()

    /// The window whose root is this view controller. If it has an identifier, the paths of all objects in the window
    /// begin with it.
    var restorableWindow: (any RestorableView)? { get }

    /// The child view controllers, in order.
    var restorableChildren: [any RestorableViewController] { get }

    /// The presented view controller.
    var restorablePresented: (any RestorableViewController)? { get }

    /// The top-level views. For the views inside them, see `RestorableView.restorableSubviews`.
    var restorableViews: [any RestorableView] { get }

    /// The storyboard template that made the view controller, if any (row 17).
    var storyboardOrigin: StoryboardOrigin? { get }

    /// Whether children may share an identifier. If so, the paths of such children include their indices (row 13).
    var disambiguatesChildren: Bool { get }

    /// Whether the view controller is never restored, even if it has an identifier. A transient view controller is
    /// skipped like one without an identifier (row 58), and a snapshot of it is not shown at the next launch (row 57).
    var isTransient: Bool { get }

    /// The children that lead to the visible screen, in order: for example all view controllers of a stack, or the
    /// selected tab.
    var placeChildren: [any RestorableViewController] { get }

    /// Saves the relationships to child and presented view controllers. Called before `encodeRestorableState(with:)`,
    /// so they are saved even if that method does not call `super` (row 30).
    ///
    /// By default, saves the presented view controller. Navigation, tab and split containers also save references to
    /// the view controllers of their stack, to the selected tab, or to their columns (row 24).
    func encodeContainment(with coder: StateEncoder)

    /// Restores the relationships that `encodeContainment(with:)` saved. Called before `decodeRestorableState(with:)`.
    func decodeContainment(with coder: StateDecoder)

    /// Presents the restored view controller.
    func restorePresented(_ presented: any RestorableViewController)
}

extension RestorableViewController {
    /// Does nothing.
    public func loadViewIfNeeded() {}
    /// False: the view controller is restored if it has an identifier.
    public var isTransient: Bool { false }
    /// Nil.
    public var restorableWindow: (any RestorableView)? { nil }
    /// No children.
    public var placeChildren: [any RestorableViewController] { [] }
    /// Saves the presented view controller.
    public func encodeContainment(with coder: StateEncoder) { coder.encodePresented(of: self) }
    /// Restores the presented view controller.
    public func decodeContainment(with coder: StateDecoder) { coder.decodePresented(into: self) }
    /// Does nothing.
    public func restorePresented(_ presented: any RestorableViewController) {}
    /// No children.
    public var restorableChildren: [any RestorableViewController] { [] }
    /// Nil.
    public var restorablePresented: (any RestorableViewController)? { nil }
    /// No views.
    public var restorableViews: [any RestorableView] { [] }
    /// Nil: no storyboard made the view controller.
    public var storyboardOrigin: StoryboardOrigin? { nil }
    /// False: siblings need different identifiers.
    public var disambiguatesChildren: Bool { false }
}

/// A view with state besides its content, such as a scroll position or a selection (row 31).
@MainActor
public protocol RestorableView: StateRestoring, ElementView {
    /// The subviews. They can be saved even if this view has no identifier, because such a view counts as layout only.
    var restorableSubviews: [any RestorableView] { get }
}

extension RestorableView {
    /// No subviews.
    public var restorableSubviews: [any RestorableView] { [] }
}
