// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uitabbarcontrollerdelegate
@MainActor public protocol UITabBarControllerDelegate: NSObjectProtocol {
    func tabBarController(
        _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
    ) -> Bool
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}
extension UITabBarControllerDelegate {
    public func tabBarController(
        _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
    ) -> Bool { true }
    public func tabBarController(
        _ tabBarController: UITabBarController, didSelect viewController: UIViewController
    ) {}
}

// uikit/uitabbar
@MainActor open class UITabBar: UIView {
    open var items: [UITabBarItem]?
    open weak var selectedItem: UITabBarItem?
}

// uikit/uitabbarcontroller
@MainActor open class UITabBarController: UIViewController {
    open weak var delegate: (any UITabBarControllerDelegate)?
    public let tabBar = UITabBar()
    private var tabs: [UIViewController]?
    private var selected: UIViewController?

    open override var children: [UIViewController] { tabs ?? [] }
    open var viewControllers: [UIViewController]? {
        get { tabs }
        set { replace(newValue) }
    }
    open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) { replace(viewControllers) }
    open var customizableViewControllers: [UIViewController]?

    open var selectedViewController: UIViewController? {
        get { selected }
        set {
            guard let newValue else { return }
            precondition(children.contains { $0 === newValue }, "The view controller isn't a tab.")
            select(newValue)
        }
    }
    /// `NSNotFound` without a selection. UIKit ignores an index beyond the tabs.
    open var selectedIndex: Int {
        get { children.firstIndex { $0 === selected } ?? NSNotFound }
        set { if children.indices.contains(newValue) { select(children[newValue]) } }
    }

    private func replace(_ new: [UIViewController]?) {
        let (old, oldSelected) = (children, selected)
        let removed = old.filter { one in !(new ?? []).contains { $0 === one } }
        let added = (new ?? []).filter { one in !old.contains { $0 === one } }
        for controller in added where controller.parent !== self { controller.removeFromParent() }
        for controller in removed { controller.willMove(toParent: nil) }
        for controller in added { controller.willMove(toParent: self) }
        tabs = new
        tabBar.items = new?.map(\.tabBarItem)
        for controller in added { controller.parent = self }
        let isKept = (new ?? []).contains { $0 === oldSelected }
        if !isKept { select(new?.first) }
        for controller in removed {
            controller.parent = nil
            controller.didMove(toParent: nil)
        }
        for controller in added { controller.didMove(toParent: self) }
    }
    private func select(_ new: UIViewController?) {
        guard new !== selected else { return }
        let old = selected
        selected = new
        tabBar.selectedItem = new?.tabBarItem
        if let view = viewIfLoaded { exchange([old].compactMap { $0 }, for: [new].compactMap { $0 }, in: view) }
    }
    override func drop(_ child: UIViewController) { replace(tabs?.filter { $0 !== child }) }
    override func installContents() {
        for controller in children where controller !== selected { controller.viewIfLoaded?.removeFromSuperview() }
        selected?.place(in: view)
    }
    open override func show(_ vc: UIViewController, sender: Any?) { present(vc, animated: true) }

    open override func encodeRestorableState(with coder: NSCoder) {
        UIKitDouble.noteCoder("encodeRestorableState(with:)", of: "UITabBarController", in: self)
    }
    open override func decodeRestorableState(with coder: NSCoder) {
        UIKitDouble.noteCoder("decodeRestorableState(with:)", of: "UITabBarController", in: self)
    }
}

extension UITabBarController { public var double: UITabBarControllerDouble { UITabBarControllerDouble(tabs: self) } }

/// What the user does with a tab bar.
@MainActor public struct UITabBarControllerDouble {
    let tabs: UITabBarController

    /// Taps a tab: asks the delegate, selects it, and tells the delegate.
    public func tap(_ index: Int) {
        let controller = tabs.children[index]
        guard tabs.delegate?.tabBarController(tabs, shouldSelect: controller) != false else { return }
        tabs.selectedViewController = controller
        tabs.delegate?.tabBarController(tabs, didSelect: controller)
    }
}
