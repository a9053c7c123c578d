public import PlacekeeperRuntime

/// A container that shows the top view controller of a stack.
@MainActor
open class NavigationController: ViewController, NavigationContaining {
    /// The stack, from bottom to top.
    public final var viewControllers: [ViewController] = [] {
        didSet { adopt(viewControllers, instead: oldValue) }
    }

    /// The visible view controller.
    public final var top: ViewController? { viewControllers.last }

    /// Creates a stack with a root view controller.
    public convenience init(root: ViewController) {
        self.init()
        viewControllers = [root]
        root.parent = self
    }

    /// Pushes a view controller onto the stack, which shows it.
    public final func push(_ viewController: ViewController) { viewControllers.append(viewController) }

    /// Removes the top view controller, but never the root.
    @discardableResult
    public final func pop() -> ViewController? { viewControllers.count > 1 ? viewControllers.removeLast() : nil }

    /// The stack, for the runtime.
    public final var restorableStack: [any RestorableViewController] {
        get { viewControllers }
        set { viewControllers = newValue.compactMap { $0 as? ViewController } }
    }
    public final override var restorableChildren: [any RestorableViewController] { viewControllers }
    public final override var placeChildren: [any RestorableViewController] { viewControllers }
    public final override var disambiguatesChildren: Bool { true }
    open override func encodeContainment(with coder: StateEncoder) { coder.encodeStack(of: self) }
    open override func decodeContainment(with coder: StateDecoder) { coder.decodeStack(into: self) }
}

/// A container that shows one of several view controllers.
@MainActor
open class TabBarController: ViewController, TabContaining {
    /// The tabs, in tab bar order. The first tab is selected by default.
    public final var viewControllers: [ViewController] = [] {
        didSet {
            adopt(viewControllers, instead: oldValue)
            if !viewControllers.contains(where: { $0 === selected }) { selected = viewControllers.first }
        }
    }

    /// The selected, visible view controller.
    public final var selected: ViewController?

    /// The tabs, for the runtime.
    public final var restorableTabs: [any RestorableViewController] { viewControllers }
    /// The selected tab, for the runtime.
    public final var restorableSelectedTab: (any RestorableViewController)? {
        get { selected }
        set { selected = newValue as? ViewController }
    }
    public final override var restorableChildren: [any RestorableViewController] { viewControllers }
    public final override var placeChildren: [any RestorableViewController] { [selected].compactMap { $0 } }
    public final override var disambiguatesChildren: Bool { true }
    open override func encodeContainment(with coder: StateEncoder) { coder.encodeTabs(of: self) }
    open override func decodeContainment(with coder: StateDecoder) { coder.decodeTabs(into: self) }
}

/// A container that shows two view controllers side by side, or only one if there is no room for two.
@MainActor
open class SplitViewController: ViewController, SplitContaining {
    /// The leading view controller, such as a list.
    public final var primary: ViewController? {
        didSet { adopt([primary].compactMap { $0 }, instead: [oldValue].compactMap { $0 }) }
    }
    /// The other view controller, such as a screen for the element selected in `primary`.
    public final var secondary: ViewController? {
        didSet { adopt([secondary].compactMap { $0 }, instead: [oldValue].compactMap { $0 }) }
    }
    /// Whether there is room for only one of the two view controllers.
    public final var isCollapsed = false
    /// Whether the secondary view controller is in front while the container is collapsed.
    public final var showsSecondary = false

    /// The visible view controllers, the leading one first.
    public final var visible: [ViewController] {
        let columns =
            isCollapsed ? [showsSecondary ? secondary ?? primary : primary ?? secondary] : [primary, secondary]
        return columns.compactMap { $0 }
    }

    /// The leading column, for the runtime.
    public final var restorablePrimary: (any RestorableViewController)? {
        get { primary }
        set { primary = newValue as? ViewController }
    }
    /// The secondary column, for the runtime.
    public final var restorableSecondary: (any RestorableViewController)? {
        get { secondary }
        set { secondary = newValue as? ViewController }
    }
    /// Whether the secondary column is in front, for the runtime.
    public final var restorableShowsSecondary: Bool {
        get { showsSecondary }
        set { showsSecondary = newValue }
    }
    public final override var restorableChildren: [any RestorableViewController] {
        [primary, secondary].compactMap { $0 }
    }
    public final override var placeChildren: [any RestorableViewController] { columnsOnTheWay }
    public final override var disambiguatesChildren: Bool { true }
    open override func encodeContainment(with coder: StateEncoder) { coder.encodeColumns(of: self) }
    open override func decodeContainment(with coder: StateDecoder) { coder.decodeColumns(into: self) }
}

extension ViewController {
    /// Makes this view controller the parent of the new children, and removes it as the parent of the previous ones.
    fileprivate func adopt(_ children: [ViewController], instead previous: [ViewController]) {
        for child in previous where child.parent === self { child.parent = nil }
        for child in children { child.parent = self }
    }
}
