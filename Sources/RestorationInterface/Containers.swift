public import StateRestoration

/// Shows the last of a stack of view controllers.
@MainActor
open class NavigationController: ViewController, NavigationContaining {
    /// From the bottom up.
    public final var viewControllers: [ViewController] = [] {
        didSet { adopt(viewControllers, instead: oldValue) }
    }

    /// The one that is shown.
    public final var top: ViewController? { viewControllers.last }

    /// Makes a stack of one.
    public convenience init(root: ViewController) {
        self.init()
        viewControllers = [root]
        root.parent = self
    }

    /// Shows another view controller on top.
    public final func push(_ viewController: ViewController) { viewControllers.append(viewController) }

    /// Goes one back, but never from the first.
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

/// Shows one of several view controllers.
@MainActor
open class TabBarController: ViewController, TabContaining {
    /// In the order of the bar. The first is selected until another is.
    public final var viewControllers: [ViewController] = [] {
        didSet {
            adopt(viewControllers, instead: oldValue)
            if !viewControllers.contains(where: { $0 === selected }) { selected = viewControllers.first }
        }
    }

    /// The one that is shown.
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

/// Shows a list beside what it leads to, or one of the two where there is no room for both.
@MainActor
open class SplitViewController: ViewController, SplitContaining {
    /// What leads.
    public final var primary: ViewController? {
        didSet { adopt([primary].compactMap { $0 }, instead: [oldValue].compactMap { $0 }) }
    }
    /// What it leads to.
    public final var secondary: ViewController? {
        didSet { adopt([secondary].compactMap { $0 }, instead: [oldValue].compactMap { $0 }) }
    }
    /// Whether there is room for one of the two only.
    public final var isCollapsed = false
    /// Which of the two is in front while it is collapsed.
    public final var showsSecondary = false

    /// The view controllers that a person sees, the leading one first.
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
    /// The other column, for the runtime.
    public final var restorableSecondary: (any RestorableViewController)? {
        get { secondary }
        set { secondary = newValue as? ViewController }
    }
    /// Which column is in front, for the runtime.
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
    /// Becomes the parent of children, and is no more that of those that left.
    fileprivate func adopt(_ children: [ViewController], instead previous: [ViewController]) {
        for child in previous where child.parent === self { child.parent = nil }
        for child in children { child.parent = self }
    }
}
