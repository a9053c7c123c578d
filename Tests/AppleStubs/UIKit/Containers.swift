// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uipageviewcontrollerdatasource, uikit/uipageviewcontrollerdelegate
@MainActor public protocol UIPageViewControllerDataSource: NSObjectProtocol {
    func pageViewController(
        _ pageViewController: UIPageViewController, viewControllerBefore viewController: UIViewController
    ) -> UIViewController?
    func pageViewController(
        _ pageViewController: UIPageViewController, viewControllerAfter viewController: UIViewController
    ) -> UIViewController?
}
@MainActor public protocol UIPageViewControllerDelegate: NSObjectProtocol {
    func pageViewController(
        _ pageViewController: UIPageViewController, didFinishAnimating finished: Bool,
        previousViewControllers: [UIViewController], transitionCompleted completed: Bool)
}
extension UIPageViewControllerDelegate {
    public func pageViewController(
        _ pageViewController: UIPageViewController, didFinishAnimating finished: Bool,
        previousViewControllers: [UIViewController], transitionCompleted completed: Bool
    ) {}
}

// uikit/uipageviewcontroller
@MainActor open class UIPageViewController: UIViewController {
    public enum TransitionStyle: Int, Sendable {
        case pageCurl = 0
        case scroll = 1
    }
    public enum NavigationOrientation: Int, Sendable {
        case horizontal = 0
        case vertical = 1
    }
    public enum NavigationDirection: Int, Sendable {
        case forward = 0
        case reverse = 1
    }
    public struct OptionsKey: RawRepresentable, Hashable, Sendable {
        public init(rawValue: String) { self.rawValue = rawValue }
        public let rawValue: String
    }

    public init(
        transitionStyle style: TransitionStyle, navigationOrientation: NavigationOrientation,
        options: [OptionsKey: Any]? = nil
    ) {
        (transitionStyle, self.navigationOrientation) = (style, navigationOrientation)
        super.init(nibName: nil, bundle: nil)
    }
    public required init?(coder: NSCoder) {
        (transitionStyle, navigationOrientation) = (.pageCurl, .horizontal)
        super.init(coder: coder)
    }
    public let transitionStyle: TransitionStyle
    public let navigationOrientation: NavigationOrientation
    open weak var dataSource: (any UIPageViewControllerDataSource)?
    open weak var delegate: (any UIPageViewControllerDelegate)?
    private var pages: [UIViewController] = []
    open var viewControllers: [UIViewController]? { pages }
    open override var children: [UIViewController] { pages }

    open func setViewControllers(
        _ viewControllers: [UIViewController]?, direction: NavigationDirection, animated: Bool,
        completion: ((Bool) -> Void)? = nil
    ) {
        let (old, new) = (pages, viewControllers ?? [])
        let removed = old.filter { one in !new.contains { $0 === one } }
        let added = new.filter { one in !old.contains { $0 === one } }
        for controller in removed { controller.willMove(toParent: nil) }
        for controller in added {
            controller.willMove(toParent: self)
            controller.parent = self
        }
        pages = new
        if let view = viewIfLoaded { exchange(removed, for: new, in: view) }
        for controller in removed {
            controller.parent = nil
            controller.didMove(toParent: nil)
        }
        for controller in added { controller.didMove(toParent: self) }
        completion?(true)
    }
    override func drop(_ child: UIViewController) {
        setViewControllers(pages.filter { $0 !== child }, direction: .forward, animated: false)
    }
    override func installContents() { for page in pages { page.place(in: view) } }
}

extension UIPageViewController { public var double: UIPageViewDouble { UIPageViewDouble(pages: self) } }

/// What the user does with pages.
@MainActor public struct UIPageViewDouble {
    let pages: UIPageViewController

    /// Turns to the next or the previous page, as the data source has it.
    public func turn(_ direction: UIPageViewController.NavigationDirection) {
        guard let current = pages.viewControllers?.last, let source = pages.dataSource else { return }
        let next =
            direction == .forward
            ? source.pageViewController(pages, viewControllerAfter: current)
            : source.pageViewController(pages, viewControllerBefore: current)
        guard let next else { return }
        pages.setViewControllers([next], direction: direction, animated: false)
        pages.delegate?.pageViewController(
            pages, didFinishAnimating: true, previousViewControllers: [current], transitionCompleted: true)
    }
}

// uikit/uisearchbar, uikit/uisearchresultsupdating, uikit/uisearchcontroller
@MainActor open class UISearchBar: UIView {
    public let searchTextField = UITextField()
    open var text: String? {
        get { searchTextField.text }
        set { searchTextField.text = newValue }
    }
    open var placeholder: String?
    open var scopeButtonTitles: [String]?
    open var selectedScopeButtonIndex = 0
}
@MainActor public protocol UISearchResultsUpdating: NSObjectProtocol {
    func updateSearchResults(for searchController: UISearchController)
}
@MainActor open class UISearchController: UIViewController {
    public init(searchResultsController: UIViewController?) {
        self.searchResultsController = searchResultsController
        super.init(nibName: nil, bundle: nil)
    }
    public required init?(coder: NSCoder) {
        searchResultsController = nil
        super.init(coder: coder)
    }
    public let searchResultsController: UIViewController?
    public let searchBar = UISearchBar()
    open weak var searchResultsUpdater: (any UISearchResultsUpdating)?
    open var obscuresBackgroundDuringPresentation = true
    open var isActive = false { didSet { searchResultsUpdater?.updateSearchResults(for: self) } }
}

// uikit/uialertaction, uikit/uialertcontroller
@MainActor open class UIAlertAction: NSObject {
    public enum Style: Int, Sendable {
        case `default` = 0
        case cancel = 1
        case destructive = 2
    }
    let handler: ((UIAlertAction) -> Void)?
    public let title: String?
    public let style: Style
    open var isEnabled = true
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        (self.title, self.style, self.handler) = (title, style, handler)
    }
}
@MainActor open class UIAlertController: UIViewController {
    public enum Style: Int, Sendable {
        case actionSheet = 0
        case alert = 1
    }
    public init(title: String?, message: String?, preferredStyle: Style) {
        (self.message, self.preferredStyle) = (message, preferredStyle)
        super.init(nibName: nil, bundle: nil)
        self.title = title
        modalPresentationStyle = .overFullScreen
    }
    public required init?(coder: NSCoder) {
        preferredStyle = .alert
        super.init(coder: coder)
    }
    open var message: String?
    public let preferredStyle: Style
    open private(set) var actions: [UIAlertAction] = []
    open private(set) var textFields: [UITextField]?
    open func addAction(_ action: UIAlertAction) { actions.append(action) }
    open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
        let field = UITextField()
        textFields = (textFields ?? []) + [field]
        configurationHandler?(field)
    }

    fileprivate func tap(_ title: String) {
        guard let action = actions.first(where: { $0.title == title }) else {
            preconditionFailure("The alert has no button \(title).")
        }
        presentingViewController?.dismiss(animated: false)
        action.handler?(action)
    }
}

extension UIAlertController { public var double: UIAlertDouble { UIAlertDouble(alert: self) } }

/// What the user does with an alert.
@MainActor public struct UIAlertDouble {
    let alert: UIAlertController

    /// Taps a button: dismisses the alert, and runs the handler.
    public func tap(_ title: String) { alert.tap(title) }
}

// uikit/uiactivityviewcontroller
@MainActor open class UIActivityViewController: UIViewController {
    public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
        items = activityItems
        super.init(nibName: nil, bundle: nil)
    }
    public required init?(coder: NSCoder) {
        items = []
        super.init(coder: coder)
    }
    let items: [Any]
}
@MainActor open class UIActivity: NSObject {}

// uikit/uidocument
@MainActor open class UIDocument: NSObject {
    open func open() async -> Bool { false }
}
