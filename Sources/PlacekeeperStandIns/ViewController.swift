public import PlacekeeperRuntime

/// A portable view controller, for screens in tests and in apps without UIKit.
@MainActor
open class ViewController: RestorableViewController {
    /// The restoration identifier. The view controller is saved only if it is set (seed row 6).
    public final var restorationIdentifier: String?
    /// The class that recreates the view controller at launch.
    public final var restorationClass: (any RestorationClass.Type)?
    /// The storyboard template that created the view controller.
    public final var storyboardOrigin: StoryboardOrigin?
    /// The title that the user sees.
    open var title: String?
    /// The top-level views, whose state can be saved.
    public final var views: [any RestorableView] = [] {
        didSet {
            for case let view as View in oldValue where view.owner === self { view.owner = nil }
            for case let view as View in views { view.owner = self }
        }
    }
    /// Whether `viewDidLoad()` was called.
    public private(set) final var isViewLoaded = false
    /// The container of the view controller.
    public internal(set) final weak var parent: ViewController?
    /// The view controller presented by this one.
    public private(set) final var presented: ViewController?
    /// The view controller that presents this one.
    public private(set) final weak var presenting: ViewController?

    /// The window whose root this view controller is. Nil for a contained or presented view controller.
    public internal(set) final weak var window: Window?

    /// Lists the restoration classes of this library, once.
    private static let listsStandardClasses: Void = RestorationEnvironment.addStandard(ActivityViewController.self)

    /// Creates a view controller.
    public init() { Self.listsStandardClasses }

    /// Loads the view if needed. The runtime calls this method before it saves or restores the view controller.
    public final func loadViewIfNeeded() {
        guard !isViewLoaded else { return }
        isViewLoaded = true
        viewDidLoad()
    }

    /// Sets up the view. `loadViewIfNeeded()` calls this method once. Identifiers that it sets are used by the runtime.
    open func viewDidLoad() {}

    /// Presents a view controller. If another one is already presented, it is dismissed first.
    public final func present(_ viewController: ViewController) {
        dismiss()
        presented = viewController
        viewController.presenting = self
    }

    /// Dismisses the presented view controller.
    public final func dismiss() {
        presented?.presenting = nil
        presented = nil
    }

    /// The restoration parent: the object that the app set, or else the first of these that exists: the container, the
    /// presenting view controller, the window. A custom container must set itself as the restoration parent of its
    /// children.
    public final var restorationParent: (any StateRestoring)? {
        get { scope ?? parent ?? presenting ?? window }
        set { scope = newValue }
    }
    private weak var scope: (any StateRestoring)?
    /// The window whose root this view controller is.
    public final var restorableWindow: (any RestorableView)? { window }
    /// The top-level views.
    public final var restorableViews: [any RestorableView] { views }
    /// The view controller presented by this one.
    public final var restorablePresented: (any RestorableViewController)? { presented }
    open var restorableChildren: [any RestorableViewController] { [] }
    /// False: the view controller is restored if it has an identifier.
    open var isTransient: Bool { false }
    /// No children.
    open var placeChildren: [any RestorableViewController] { [] }
    open var disambiguatesChildren: Bool { false }

    /// Presents a restored view controller, for the runtime.
    public final func restorePresented(_ presented: any RestorableViewController) {
        if let presented = presented as? ViewController { present(presented) }
    }

    open func encodeContainment(with coder: StateEncoder) { coder.encodePresented(of: self) }
    open func decodeContainment(with coder: StateDecoder) { coder.decodePresented(into: self) }
    open func encodeRestorableState(with coder: StateEncoder) {}
    open func decodeRestorableState(with coder: StateDecoder) throws {}
    open func applicationFinishedRestoringState() {}
}
