public import StateRestoration

/// A view controller of no platform's: what the portable runtime, its tests and apps without UIKit build screens of.
@MainActor
open class ViewController: RestorableViewController {
    /// Nil until it is set: then the view controller is saved (row 6).
    public final var restorationIdentifier: String?
    /// What makes it anew.
    public final var restorationClass: (any RestorationClass.Type)?
    /// Where it was made.
    public final var storyboardOrigin: StoryboardOrigin?
    /// What a person sees above it.
    open var title: String?
    /// The views whose state may be saved.
    public final var views: [any RestorableView] = [] {
        didSet {
            for case let view as View in oldValue where view.owner === self { view.owner = nil }
            for case let view as View in views { view.owner = self }
        }
    }
    /// Whether `viewDidLoad()` was called.
    public private(set) final var isViewLoaded = false
    /// What holds it.
    public internal(set) final weak var parent: ViewController?
    /// What it presents.
    public private(set) final var presented: ViewController?
    /// What presents it.
    public private(set) final weak var presenting: ViewController?

    /// The window that it fills; nil for one that another view controller holds or presents.
    public internal(set) final weak var window: Window?

    /// Makes a view controller.
    public init() {}

    /// Loads the view, unless it is loaded. The runtime does this before it saves or restores the view controller.
    public final func loadViewIfNeeded() {
        guard !isViewLoaded else { return }
        isViewLoaded = true
        viewDidLoad()
    }

    /// Sets up the view: called once. Identifiers that are set here count when the view controller is saved and restored.
    open func viewDidLoad() {}

    /// Shows another view controller over this one, instead of any that it showed before.
    public final func present(_ viewController: ViewController) {
        dismiss()
        presented = viewController
        viewController.presenting = self
    }

    /// Shows nothing over this one any more.
    public final func dismiss() {
        presented?.presenting = nil
        presented = nil
    }

    /// What its path comes after: the object that was set, or else what holds or presents the view controller, or the
    /// window that it fills. A container of the app's own sets itself for the view controllers that it holds.
    public final var restorationParent: (any StateRestoring)? {
        get { scope ?? parent ?? presenting ?? window }
        set { scope = newValue }
    }
    private weak var scope: (any StateRestoring)?
    /// The window that it fills.
    public final var restorableWindow: (any RestorableView)? { window }
    /// The views of this view controller.
    public final var restorableViews: [any RestorableView] { views }
    /// What this one presents.
    public final var restorablePresented: (any RestorableViewController)? { presented }
    open var restorableChildren: [any RestorableViewController] { [] }
    /// No: with an identifier it comes back.
    open var isTransient: Bool { false }
    /// None.
    open var placeChildren: [any RestorableViewController] { [] }
    open var disambiguatesChildren: Bool { false }

    /// Presents a view controller again.
    public final func restorePresented(_ presented: any RestorableViewController) {
        if let presented = presented as? ViewController { present(presented) }
    }

    open func encodeContainment(with coder: StateEncoder) { coder.encodePresented(of: self) }
    open func decodeContainment(with coder: StateDecoder) { coder.decodePresented(into: self) }
    open func encodeRestorableState(with coder: StateEncoder) {}
    open func decodeRestorableState(with coder: StateDecoder) throws {}
    open func applicationFinishedRestoringState() {}
}
