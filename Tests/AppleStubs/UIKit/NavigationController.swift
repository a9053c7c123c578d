// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uinavigationcontrollerdelegate
@MainActor public protocol UINavigationControllerDelegate: NSObjectProtocol {
    func navigationController(
        _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool)
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
}
extension UINavigationControllerDelegate {
    public func navigationController(
        _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool
    ) {}
    public func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {}
}

// uikit/uinavigationbar, uikit/uitoolbar
@MainActor open class UINavigationBar: UIView {
    open var prefersLargeTitles = false
    open var isTranslucent = true
}
@MainActor open class UIToolbar: UIView { open var items: [UIBarButtonItem]? }

// uikit/uinavigationcontroller
@MainActor open class UINavigationController: UIViewController {
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        setViewControllers([rootViewController], animated: false)
    }
    public init(navigationBarClass: AnyClass?, toolbarClass: AnyClass?) { super.init(nibName: nil, bundle: nil) }
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open weak var delegate: (any UINavigationControllerDelegate)?
    public let navigationBar = UINavigationBar()
    open private(set) lazy var toolbar: UIToolbar! = UIToolbar()
    open var isNavigationBarHidden = false
    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) { isNavigationBarHidden = hidden }
    open var isToolbarHidden = true
    open func setToolbarHidden(_ hidden: Bool, animated: Bool) { isToolbarHidden = hidden }
    open var hidesBarsOnTap = false
    open var hidesBarsOnSwipe = false
    open private(set) lazy var interactivePopGestureRecognizer: UIGestureRecognizer? =
        UIGestureRecognizer(target: nil, action: nil)

    private var stack: [UIViewController] = []
    open var viewControllers: [UIViewController] {
        get { stack }
        set { replace(newValue) }
    }
    open override var children: [UIViewController] { stack }
    open var topViewController: UIViewController? { stack.last }
    open var visibleViewController: UIViewController? { presentedViewController ?? topViewController }

    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) { replace(viewControllers) }
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        precondition(!stack.contains { $0 === viewController }, "The view controller is on the stack already.")
        replace(stack + [viewController])
    }
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard stack.count > 1, let top = stack.last else { return nil }
        replace(stack.dropLast())
        return top
    }
    @discardableResult
    open func popToViewController(_ viewController: UIViewController, animated: Bool) -> [UIViewController]? {
        guard let index = stack.firstIndex(where: { $0 === viewController }) else {
            preconditionFailure("The view controller isn't on the stack. UIKit raises an exception.")
        }
        let popped = Array(stack[(index + 1)...])
        replace(Array(stack[...index]))
        return popped
    }
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        let popped = Array(stack.dropFirst())
        replace(Array(stack.prefix(1)))
        return popped
    }
    open override func show(_ vc: UIViewController, sender: Any?) { pushViewController(vc, animated: true) }

    private func replace(_ new: [UIViewController]) {
        let (oldStack, oldTop) = (stack, stack.last)
        let removed = oldStack.filter { one in !new.contains { $0 === one } }
        let added = new.filter { one in !oldStack.contains { $0 === one } }
        for controller in added where controller.parent !== self { controller.removeFromParent() }
        for controller in removed { controller.willMove(toParent: nil) }
        for controller in added { controller.willMove(toParent: self) }
        stack = new
        for controller in added { (controller.parent, controller.isMovingToParent) = (self, true) }
        for controller in removed { controller.isMovingFromParent = true }
        if oldTop !== new.last {
            if isOnScreen, let top = new.last { willShow(top) }
            exchange([oldTop].compactMap { $0 }, for: [new.last].compactMap { $0 }, in: contentView)
            if isOnScreen, let top = new.last { didShow(top) }
        }
        for controller in removed {
            (controller.isMovingFromParent, controller.parent) = (false, nil)
            controller.didMove(toParent: nil)
        }
        for controller in added {
            controller.isMovingToParent = false
            controller.didMove(toParent: self)
        }
        if added.isEmpty == false || removed.isEmpty == false { splitViewController?.stackDidChange(self) }
    }
    private var contentView: UIView { viewIfLoaded ?? UIView() }

    override func installContents() {
        for controller in stack.dropLast() { controller.viewIfLoaded?.removeFromSuperview() }
        topViewController?.place(in: view)
    }
    override func drop(_ child: UIViewController) { replace(stack.filter { $0 !== child }) }

    private func willShow(_ top: UIViewController) {
        delegate?.navigationController(self, willShow: top, animated: false)
    }
    private func didShow(_ top: UIViewController) {
        delegate?.navigationController(self, didShow: top, animated: false)
    }
    open override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        if let topViewController { willShow(topViewController) }
    }
    open override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        if let topViewController { didShow(topViewController) }
    }

    open override func encodeRestorableState(with coder: NSCoder) {
        UIKitDouble.noteCoder("encodeRestorableState(with:)", of: "UINavigationController", in: self)
    }
    open override func decodeRestorableState(with coder: NSCoder) {
        UIKitDouble.noteCoder("decodeRestorableState(with:)", of: "UINavigationController", in: self)
    }
}
