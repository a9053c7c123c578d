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
    /// What holds it.
    public internal(set) final weak var parent: ViewController?
    /// What it presents.
    public private(set) final var presented: ViewController?
    /// What presents it.
    public private(set) final weak var presenting: ViewController?

    /// Makes a view controller.
    public init() {}

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

    /// What its path comes after.
    public final var restorationParent: (any StateRestoring)? { parent ?? presenting }
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
