/// A view controller whose state is saved and restored: a screen or a container of screens.
@MainActor
public protocol RestorableViewController: StateRestoring {
    /// Loads the view if it is not loaded. The runtime calls this method before it reads the identifier, the views and
    /// the children, because an app may set them in `viewDidLoad` (seed row 71).
    func loadViewIfNeeded()

    /// The window that shows this view controller, if this view controller is the window's root. If the window has an
    /// identifier, the paths of all objects in the window begin with this identifier.
    var restorableWindow: (any RestorableView)? { get }

    /// The child view controllers, in order.
    var restorableChildren: [any RestorableViewController] { get }

    /// The view controller that this view controller presents.
    var restorablePresented: (any RestorableViewController)? { get }

    /// The top-level views of this view controller. `RestorableView.restorableSubviews` gives the views inside a view.
    var restorableViews: [any RestorableView] { get }

    /// The storyboard template that made the view controller, if any (row 17).
    var storyboardOrigin: StoryboardOrigin? { get }

    /// Whether children may have equal identifiers. If so, the paths of children with equal identifiers include the
    /// indices of these children (row 13).
    var disambiguatesChildren: Bool { get }

    /// Whether the view controller is never restored, even if it has an identifier. A transient view controller is
    /// skipped like a view controller without an identifier (row 58), and a snapshot of it is not shown at the next
    /// launch (row 57).
    var isTransient: Bool { get }

    /// The children that lead to the visible screen, in order: all view controllers of a stack, or the selected tab.
    var placeChildren: [any RestorableViewController] { get }

    /// Saves the relationships to child and presented view controllers. The runtime calls this method before
    /// `encodeRestorableState(with:)`. The relationships are saved even if `encodeRestorableState(with:)` does not call
    /// `super` (row 30). The default saves the presented view controller. A navigation, tab or split container also
    /// saves references to the view controllers of its stack, to its selected tab, or to its columns (row 24).
    func encodeContainment(with coder: StateEncoder)

    /// Restores the relationships that `encodeContainment(with:)` saved. The runtime calls this method before
    /// `decodeRestorableState(with:)`.
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

/// A view with state that a person changes independently of the view's content, such as a scroll position or a
/// selection (row 31).
@MainActor
public protocol RestorableView: StateRestoring {
    /// The subviews. The subviews can be saved even if this view has no identifier, because a view without an
    /// identifier is treated as layout only.
    var restorableSubviews: [any RestorableView] { get }
}

extension RestorableView {
    /// No subviews.
    public var restorableSubviews: [any RestorableView] { [] }
}
