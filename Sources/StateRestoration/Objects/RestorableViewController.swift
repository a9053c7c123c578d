/// A screen, or what holds screens.
@MainActor
public protocol RestorableViewController: StateRestoring {
    /// Loads the view, unless it is loaded. The runtime calls this method before it asks for the identifier, the views
    /// and the children, so that whatever an app sets in `viewDidLoad` is there (row 71).
    func loadViewIfNeeded()

    /// The window that shows this one, for a root. The window's identifier, if it has one, comes first in the paths of all
    /// that it shows.
    var restorableWindow: (any RestorableView)? { get }

    /// The view controllers inside this one, in order.
    var restorableChildren: [any RestorableViewController] { get }

    /// The view controller that this one presents.
    var restorablePresented: (any RestorableViewController)? { get }

    /// The views of this view controller; those below them are found by `RestorableView.restorableSubviews`.
    var restorableViews: [any RestorableView] { get }

    /// Where the view controller was made, if it was made from a storyboard (row 17).
    var storyboardOrigin: StoryboardOrigin? { get }

    /// Whether children may have equal identifiers, which their index then tells apart (row 13).
    var disambiguatesChildren: Bool { get }

    /// Whether it does not come back, whatever its identifier: it is then left out like one that has none (row 58), and
    /// a picture of it is not shown at the next launch (row 57).
    var isTransient: Bool { get }

    /// What leads on to what is in front, in order: of a stack all, of tabs the selected one.
    var placeChildren: [any RestorableViewController] { get }

    /// Saves how this one holds others: the runtime calls it beside `encodeRestorableState(with:)`, so that it does not
    /// depend on who calls `super` when (row 30). What is presented, by default; the containers of this module have
    /// their own (row 24).
    func encodeContainment(with coder: StateEncoder)

    /// Brings back what `encodeContainment(with:)` saved. It is called before the object's own state is decoded.
    func decodeContainment(with coder: StateDecoder)

    /// Presents a view controller again, or what has taken its place.
    func restorePresented(_ presented: any RestorableViewController)
}

extension RestorableViewController {
    /// Does nothing.
    public func loadViewIfNeeded() {}
    /// No: with an identifier it comes back.
    public var isTransient: Bool { false }
    /// None that is known.
    public var restorableWindow: (any RestorableView)? { nil }
    /// None.
    public var placeChildren: [any RestorableViewController] { [] }
    /// Saves how this one holds others.
    public func encodeContainment(with coder: StateEncoder) { coder.encodePresented(of: self) }
    /// Brings back how this one held others.
    public func decodeContainment(with coder: StateDecoder) { coder.decodePresented(into: self) }
    /// Presents a view controller again.
    public func restorePresented(_ presented: any RestorableViewController) {}
    /// The view controllers inside this one.
    public var restorableChildren: [any RestorableViewController] { [] }
    /// What this one presents.
    public var restorablePresented: (any RestorableViewController)? { nil }
    /// The views of this view controller.
    public var restorableViews: [any RestorableView] { [] }
    /// None: it was not made from a storyboard.
    public var storyboardOrigin: StoryboardOrigin? { nil }
    /// Whether children may have equal identifiers.
    public var disambiguatesChildren: Bool { false }
}

/// A view with state that a person changes independently of what it shows: a scroll position, a selection (row 31).
@MainActor
public protocol RestorableView: StateRestoring {
    /// The views inside this one. They are looked at even if this view has no identifier: it is then mere layout.
    var restorableSubviews: [any RestorableView] { get }
}

extension RestorableView {
    /// The views inside this one.
    public var restorableSubviews: [any RestorableView] { [] }
}
