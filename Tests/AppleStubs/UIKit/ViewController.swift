// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uimodalpresentationstyle, uikit/uimodaltransitionstyle
public enum UIModalPresentationStyle: Int, Sendable {
    case automatic = -2
    case none = -1
    case fullScreen = 0
    case pageSheet = 1
    case formSheet = 2
    case currentContext = 3
    case custom = 4
    case overFullScreen = 5
    case overCurrentContext = 6
    case popover = 7
}
public enum UIModalTransitionStyle: Int, Sendable {
    case coverVertical = 0
    case flipHorizontal = 1
    case crossDissolve = 2
    case partialCurl = 3
}

// uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder, UIStateRestoring, @preconcurrency NSCoding {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        (nibName, nibBundle) = (nibNameOrNil, nibBundleOrNil)
        super.init()
    }
    public required init?(coder: NSCoder) {
        (nibName, nibBundle) = (nil, nil)
        super.init()
    }
    public convenience override init() { self.init(nibName: nil, bundle: nil) }
    open func encode(with coder: NSCoder) {}
    public let nibName: String?
    public let nibBundle: Bundle?

    // MARK: View

    private var loadedView: UIView?
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set {
            loadedView?.owner = nil
            loadedView = newValue
            newValue?.owner = self
        }
    }
    open var viewIfLoaded: UIView? { loadedView }
    open var isViewLoaded: Bool { loadedView != nil }
    open func loadView() {
        let view = UIView(frame: UIScreen.main.bounds)
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        self.view = view
    }
    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        precondition(loadedView != nil, "\(type(of: self)).loadView() didn't set the view.")
        viewDidLoad()
    }
    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewIsAppearing(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
    open func viewWillLayoutSubviews() {}
    open func viewDidLayoutSubviews() {}
    open func updateViewConstraints() {}
    open func didReceiveMemoryWarning() {}
    /// Whether the view is in a shown window, or about to be, or about to leave.
    var appearance = Appearance.gone

    open override var next: UIResponder? {
        viewIfLoaded?.superview ?? presentingViewController
    }
    override var windowOfResponder: UIWindow? { viewIfLoaded?.window }

    // MARK: Containment

    open internal(set) weak var parent: UIViewController?
    open var children: [UIViewController] { contained }
    private var contained: [UIViewController] = []
    open func addChild(_ childController: UIViewController) {
        guard childController.parent !== self else { return }
        childController.removeFromParent()
        childController.willMove(toParent: self)
        childController.parent = self
        contained.append(childController)
    }
    open func removeFromParent() {
        guard let parent else { return }
        parent.drop(self)
        guard self.parent != nil else { return }
        self.parent = nil
        didMove(toParent: nil)
    }
    /// Forgets a child that another container takes. A container of UIKit's also tells the child.
    func drop(_ child: UIViewController) { contained.removeAll { $0 === child } }
    open func willMove(toParent parent: UIViewController?) {}
    open func didMove(toParent parent: UIViewController?) {}
    open internal(set) var isMovingToParent = false
    open internal(set) var isMovingFromParent = false
    /// Adds the views of the visible children, in a container that is about to appear.
    func installContents() {}
    open var shouldAutomaticallyForwardAppearanceMethods: Bool { true }
    open func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) { _ = begin(appearing: isAppearing) }
    open func endAppearanceTransition() { end() }

    open var navigationController: UINavigationController? { ancestor() }
    open var tabBarController: UITabBarController? { ancestor() }
    open var splitViewController: UISplitViewController? { ancestor() }
    private func ancestor<Container: UIViewController>() -> Container? {
        var current = parent
        while let one = current {
            if let found = one as? Container { return found }
            current = one.parent
        }
        return nil
    }

    // MARK: What containers show

    open var title: String?
    open private(set) lazy var navigationItem = UINavigationItem(title: title ?? "", of: self)
    open var tabBarItem: UITabBarItem! = UITabBarItem()
    open var hidesBottomBarWhenPushed = false
    open var toolbarItems: [UIBarButtonItem]?
    open func setToolbarItems(_ toolbarItems: [UIBarButtonItem]?, animated: Bool) { self.toolbarItems = toolbarItems }
    open private(set) lazy var editButtonItem = UIBarButtonItem(barButtonSystemItem: .edit, target: self, action: nil)
    open var preferredContentSize: CGSize = .zero
    open var edgesForExtendedLayout: UIRectEdge = .all
    open var prefersStatusBarHidden: Bool { false }
    open var prefersHomeIndicatorAutoHidden: Bool { false }
    open func setNeedsStatusBarAppearanceUpdate() {}
    open private(set) var isEditing = false
    open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }
    open var traitCollection: UITraitCollection {
        viewIfLoaded?.window?.traitCollection ?? parent?.traitCollection ?? .ofDevice
    }
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
    open var extensionContext: NSExtensionContext? { nil }
    open internal(set) var storyboard: UIStoryboard?
    open func performSegue(withIdentifier identifier: String, sender: Any?) {
        preconditionFailure("The double has no segues: \(identifier).")
    }
    open func shouldPerformSegue(withIdentifier identifier: String, sender: Any?) -> Bool { true }
    open func prepare(for segue: UIStoryboardSegue, sender: Any?) {}
    open func show(_ vc: UIViewController, sender: Any?) {
        if let parent { parent.show(vc, sender: sender) } else { present(vc, animated: true) }
    }
    open func showDetailViewController(_ vc: UIViewController, sender: Any?) {
        if let parent { parent.showDetailViewController(vc, sender: sender) } else { present(vc, animated: true) }
    }

    // MARK: Presentation

    open var modalPresentationStyle: UIModalPresentationStyle = .automatic
    open var modalTransitionStyle: UIModalTransitionStyle = .coverVertical
    open var isModalInPresentation = false
    open var definesPresentationContext = false
    open internal(set) var isBeingPresented = false
    open internal(set) var isBeingDismissed = false
    /// What this controller itself presents.
    var presentedByThis: UIViewController?
    /// The controller that presents this one itself.
    weak var presenter: UIViewController?
    open private(set) lazy var presentationController: UIPresentationController? = UIPresentationController(self)

    open var presentedViewController: UIViewController? { presentedByThis ?? parent?.presentedViewController }
    open var presentingViewController: UIViewController? { presenter ?? parent?.presentingViewController }
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {
        presentNow(viewControllerToPresent, completion)
    }
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) { dismissNow(completion) }

    // MARK: State restoration

    open var restorationIdentifier: String?
    open var restorationClass: (any UIViewControllerRestoration.Type)?
    open var restorationParent: (any UIStateRestoring)? { nil }
    open var objectRestorationClass: (any UIObjectRestoration.Type)? { nil }
    open func encodeRestorableState(with coder: NSCoder) {}
    open func decodeRestorableState(with coder: NSCoder) {}
    open func applicationFinishedRestoringState() {}
}

// uikit/uistoryboardsegue
@MainActor open class UIStoryboardSegue: NSObject {
    public init(identifier: String?, source: UIViewController, destination: UIViewController) {
        (self.identifier, self.source, self.destination) = (identifier, source, destination)
    }
    public let identifier: String?
    public let source: UIViewController
    public let destination: UIViewController
    open func perform() { source.show(destination, sender: nil) }
}

// uikit/uipresentationcontroller
@MainActor open class UIPresentationController: NSObject {
    open private(set) weak var presented: UIViewController?
    open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
    init(_ presented: UIViewController) { self.presented = presented }
}
@MainActor public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
}
extension UIAdaptivePresentationControllerDelegate {
    public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {}
}

// uikit/uinavigationitem, uikit/uibarbuttonitem, uikit/uitabbaritem
@MainActor open class UIBarItem: NSObject {
    open var title: String?
    open var image: UIImage?
    open var tag = 0
    open var isEnabled = true
}
@MainActor open class UIBarButtonItem: UIBarItem {
    public enum Style: Int, Sendable {
        case plain = 0
        case done = 2
    }
    public enum SystemItem: Int, Sendable {
        case done = 0
        case cancel = 1
        case edit = 2
        case save = 3
        case add = 4
        case flexibleSpace = 5
        case action = 9
    }
    open var primaryAction: UIAction?
    public convenience init(title: String?, style: Style, target: AnyObject?, action: Selector?) {
        self.init()
        self.title = title
    }
    public convenience init(barButtonSystemItem systemItem: SystemItem, target: Any?, action: Selector?) {
        self.init()
    }
    public convenience init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil) {
        self.init()
        (self.title, self.image, self.primaryAction) = (title ?? primaryAction?.title, image, primaryAction)
    }
}
@MainActor open class UITabBarItem: UIBarItem {
    open var badgeValue: String?
    public convenience init(title: String?, image: UIImage?, tag: Int) {
        self.init()
        (self.title, self.image, self.tag) = (title, image, tag)
    }
}
@MainActor open class UINavigationItem: NSObject {
    private var ownTitle: String?
    private weak var controller: UIViewController?
    public init(title: String) {
        ownTitle = title
        super.init()
    }
    init(title: String, of controller: UIViewController) { self.controller = controller }
    /// The controller's title until it gets one of its own.
    open var title: String? {
        get { ownTitle ?? controller?.title }
        set { ownTitle = newValue }
    }
    open var prompt: String?
    open var titleView: UIView?
    open var hidesBackButton = false
    open var leftBarButtonItem: UIBarButtonItem?
    open var rightBarButtonItem: UIBarButtonItem?
    open var leftBarButtonItems: [UIBarButtonItem]?
    open var rightBarButtonItems: [UIBarButtonItem]?
    open var backBarButtonItem: UIBarButtonItem?
    open var searchController: UISearchController?
}
