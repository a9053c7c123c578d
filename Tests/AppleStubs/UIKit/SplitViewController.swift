// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uisplitviewcontrollerdelegate
@MainActor public protocol UISplitViewControllerDelegate: NSObjectProtocol {
    func splitViewController(
        _ svc: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn:
            UISplitViewController.Column
    ) -> UISplitViewController.Column
    func splitViewController(
        _ splitViewController: UISplitViewController, collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool
    func splitViewController(
        _ splitViewController: UISplitViewController, separateSecondaryFrom primaryViewController: UIViewController
    ) -> UIViewController?
    func splitViewControllerDidCollapse(_ svc: UISplitViewController)
    func splitViewControllerDidExpand(_ svc: UISplitViewController)
}
extension UISplitViewControllerDelegate {
    public func splitViewController(
        _ svc: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn:
            UISplitViewController.Column
    ) -> UISplitViewController.Column { proposedTopColumn }
    public func splitViewController(
        _ splitViewController: UISplitViewController, collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool { false }
    public func splitViewController(
        _ splitViewController: UISplitViewController, separateSecondaryFrom primaryViewController: UIViewController
    ) -> UIViewController? { nil }
    public func splitViewControllerDidCollapse(_ svc: UISplitViewController) {}
    public func splitViewControllerDidExpand(_ svc: UISplitViewController) {}
}

// uikit/uisplitviewcontroller
@MainActor open class UISplitViewController: UIViewController {
    public enum Style: Int, Sendable {
        case unspecified = 0
        case doubleColumn = 1
        case tripleColumn = 2
    }
    public enum Column: Int, Sendable {
        case primary = 0
        case supplementary = 1
        case secondary = 2
        case compact = 3
    }
    public enum DisplayMode: Int, Sendable {
        case automatic = 0
        case secondaryOnly = 1
        case oneBesideSecondary = 2
        case oneOverSecondary = 3
        case twoBesideSecondary = 4
        case twoOverSecondary = 5
        case twoDisplaceSecondary = 6
    }

    public init(style: Style) {
        self.style = style
        super.init(nibName: nil, bundle: nil)
    }
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        style = .unspecified
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }
    public required init?(coder: NSCoder) {
        style = .unspecified
        super.init(coder: coder)
    }

    public let style: Style
    open weak var delegate: (any UISplitViewControllerDelegate)?
    open internal(set) var isCollapsed = false
    open var preferredDisplayMode: DisplayMode = .automatic
    open var presentsWithGesture = true
    open var displayMode: DisplayMode {
        if preferredDisplayMode != .automatic { return preferredDisplayMode }
        return isPrimaryShown ? .oneBesideSecondary : .secondaryOnly
    }
    private var isPrimaryShown = true
    /// Whether the view has been in a shown window, where it collapses for the first time.
    private var hasLaidOut = false

    /// The controllers of the columns, as the app set them. The classic style has a primary and a secondary one.
    private var columns: [Column: UIViewController] = [:]
    /// The navigation controllers that UIKit adds around controllers without one.
    private var wrappers: [Column: UINavigationController] = [:]
    /// The columns on the stack of the collapsed interface, behind the first.
    private var stacked: [Column] = []
    private static let order: [Column] = [.primary, .supplementary, .secondary]
    private var expandedColumns: [Column] { Self.order.filter { columns[$0] != nil } }

    open override var children: [UIViewController] {
        if isCollapsed, let compact = columns[.compact] { return [compact] }
        guard isCollapsed else { return expandedColumns.compactMap { shown($0) } }
        return [collapsedRoot].compactMap { $0 }
    }
    private var collapsedRoot: UIViewController? { expandedColumns.first.flatMap { shown($0) } }

    // MARK: Columns

    open func viewController(for column: Column) -> UIViewController? { columns[column] }
    open func setViewController(_ vc: UIViewController?, for column: Column) {
        precondition(style != .unspecified, "setViewController(_:for:) needs a style with columns.")
        set(vc, column)
    }
    private func set(_ new: UIViewController?, _ column: Column) {
        let old = columns[column]
        guard old !== new else { return }
        let before = children
        if let shown = old.flatMap({ _ in self.shown(column) }) { takeOffStack(shown) }
        old?.willMove(toParent: nil)
        wrappers[column]?.setViewControllers([], animated: false)
        wrappers[column] = nil
        columns[column] = new
        stacked.removeAll { $0 == column && new == nil }
        if let new {
            if let parent = new.parent, parent !== self { new.removeFromParent() }
            let outer = wrap(new, column)
            outer.willMove(toParent: self)
            outer.parent = self
            outer.didMove(toParent: self)
        }
        if old?.parent === self { old?.parent = nil }
        old?.didMove(toParent: nil)
        if isCollapsed, stacked.contains(column) { pushStacked() }
        exchangeChildren(from: before)
    }
    private func wrap(_ controller: UIViewController, _ column: Column) -> UIViewController {
        guard style != .unspecified, column != .compact, !(controller is UINavigationController) else {
            return controller
        }
        let navigation = UINavigationController(rootViewController: controller)
        wrappers[column] = navigation
        return navigation
    }
    private func shown(_ column: Column) -> UIViewController? { wrappers[column] ?? columns[column] }

    open func show(_ column: Column) {
        guard isCollapsed else { return isPrimaryShown = isPrimaryShown || column == .primary }
        guard columns[.compact] == nil, columns[column] != nil else { return }
        let path = expandedColumns.prefix { $0 != column } + [column]
        stacked = Array(path.dropFirst())
        pushStacked()
    }
    open func hide(_ column: Column) {
        guard isCollapsed else {
            if column == .primary { isPrimaryShown = false }
            return
        }
        stacked = Array(stacked.prefix { $0 != column })
        pushStacked()
    }
    /// Puts the navigation controllers of the stacked columns onto the stack of the first column.
    private func pushStacked() {
        guard let root = collapsedRoot as? UINavigationController else { return }
        let outer = Self.order.compactMap { shown($0) }.filter { $0 !== root }
        let own = root.viewControllers.filter { one in !outer.contains { $0 === one } }
        isChangingStack = true
        root.setViewControllers(own + stacked.compactMap { shown($0) }, animated: false)
        isChangingStack = false
    }
    private func takeOffStack(_ controller: UIViewController) {
        guard let root = collapsedRoot as? UINavigationController else { return }
        isChangingStack = true
        root.drop(controller)
        isChangingStack = false
    }
    private var isChangingStack = false
    /// The user went back from a column, or the app changed the stack.
    func stackDidChange(_ navigation: UINavigationController) {
        guard isCollapsed, !isChangingStack, navigation === collapsedRoot else { return }
        stacked = stacked.filter { column in navigation.viewControllers.contains { $0 === shown(column) } }
        for column in expandedColumns.dropFirst() where !stacked.contains(column) { shown(column)?.parent = self }
    }

    // MARK: The classic style

    open var viewControllers: [UIViewController] {
        get {
            guard isCollapsed else { return expandedColumns.compactMap { shown($0) } }
            return children
        }
        set {
            precondition(newValue.count <= 2 || style != .unspecified, "The classic style has two view controllers.")
            set(newValue.first, .primary)
            set(newValue.count > 1 ? newValue.last : nil, .secondary)
            if isCollapsed, style == .unspecified { collapseClassic() }
        }
    }
    open override func showDetailViewController(_ vc: UIViewController, sender: Any?) {
        guard style == .unspecified else {
            set(vc, .secondary)
            return show(.secondary)
        }
        set(vc, .secondary)
        if isCollapsed {
            stacked = [.secondary]
            pushStacked()
        }
    }
    private func collapseClassic() {
        guard let primary = shown(.primary), let secondary = shown(.secondary) else { return }
        let isHandled = delegate?.splitViewController(self, collapseSecondary: secondary, onto: primary) ?? false
        stacked = isHandled ? [] : [.secondary]
        if !isHandled { pushStacked() }
    }

    // MARK: Collapsing

    func setCollapsed(_ new: Bool) {
        guard new != isCollapsed else { return }
        let before = children
        if new {
            isCollapsed = true
            if style == .unspecified {
                collapseClassic()
            } else if columns[.compact] == nil, let proposed = expandedColumns.last {
                show(
                    delegate?.splitViewController(self, topColumnForCollapsingToProposedTopColumn: proposed) ?? proposed
                )
            }
        } else {
            for column in stacked { if let shown = shown(column) { takeOffStack(shown) } }
            if style == .unspecified, let primary = shown(.primary),
                let separated = delegate?.splitViewController(self, separateSecondaryFrom: primary)
            {
                columns[.secondary] = separated
            }
            stacked = []
            isCollapsed = false
            for column in expandedColumns { shown(column)?.parent = self }
        }
        exchangeChildren(from: before)
        new ? delegate?.splitViewControllerDidCollapse(self) : delegate?.splitViewControllerDidExpand(self)
    }
    private func exchangeChildren(from before: [UIViewController]) {
        guard let view = viewIfLoaded else { return }
        let now = children
        let gone = before.filter { one in !now.contains { $0 === one } }
        exchange(gone.filter { $0.viewIfLoaded?.superview === view }, for: now, in: view)
    }
    /// A column that is pushed onto the collapsed stack remains a column.
    override func drop(_ child: UIViewController) {
        guard !isChangingStack, let column = columns.keys.first(where: { shown($0) === child }) else { return }
        set(nil, column)
    }
    override func installContents() {
        if !hasLaidOut {
            hasLaidOut = true
            setCollapsed(traitCollection.horizontalSizeClass == .compact)
        }
        for column in Self.order + [.compact] {
            guard let controller = shown(column), !children.contains(where: { $0 === controller }) else { continue }
            if controller.viewIfLoaded?.superview === view { controller.view.removeFromSuperview() }
        }
        for controller in children { controller.place(in: view) }
    }

    open override func encodeRestorableState(with coder: NSCoder) {
        UIKitDouble.noteCoder("encodeRestorableState(with:)", of: "UISplitViewController", in: self)
    }
    open override func decodeRestorableState(with coder: NSCoder) {
        UIKitDouble.noteCoder("decodeRestorableState(with:)", of: "UISplitViewController", in: self)
    }
}

extension UISplitViewController { public var double: UISplitViewDouble { UISplitViewDouble(split: self) } }

/// What the size of the window does with a split view.
@MainActor public struct UISplitViewDouble {
    let split: UISplitViewController

    public func collapse() { split.setCollapsed(true) }
    public func expand() { split.setCollapsed(false) }
}
