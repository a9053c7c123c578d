#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperRuntime
    import UIKit

    /// Represents a navigation controller.
    final class NavigationStandIn: ViewControllerStandIn, NavigationContaining {
        private var navigation: UINavigationController? { represented as? UINavigationController }

        /// The stack. A split view controller that is collapsed pushes the navigation controller of another column,
        /// which remains the split view controller's child here.
        var restorableStack: [any RestorableViewController] {
            get { own.map { StandIns.of($0) } }
            set {
                guard let navigation else { return }
                let own = newValue.controllers.filter { $0.parent == nil || $0.parent === navigation }
                // Without one, the navigation controller would be blank.
                guard !own.isEmpty else { return }
                let columns = navigation.viewControllers.filter { $0 is UINavigationController }
                navigation.setViewControllers(own + columns, animated: false)
            }
        }
        /// A navigation controller cannot contain another one, except a column.
        private var own: [UIViewController] {
            (navigation?.viewControllers ?? []).filter { !($0 is UINavigationController) }
        }

        override var restorableChildren: [any RestorableViewController] { restorableStack }
        override var placeChildren: [any RestorableViewController] { restorableStack }
        override func encodeContainment(with coder: StateEncoder) { coder.encodeStack(of: self) }
        override func decodeContainment(with coder: StateDecoder) { coder.decodeStack(into: self) }
    }

    /// Represents a tab bar controller.
    final class TabBarStandIn: ViewControllerStandIn, TabContaining {
        private var tabs: UITabBarController? { represented as? UITabBarController }

        var restorableTabs: [any RestorableViewController] { (tabs?.viewControllers ?? []).map { StandIns.of($0) } }
        var restorableSelectedTab: (any RestorableViewController)? {
            get { tabs?.selectedViewController.map { StandIns.of($0) } }
            set {
                guard let tab = (newValue as? ViewControllerStandIn)?.controller else { return }
                tabs?.selectedViewController = tab
            }
        }

        override var restorableChildren: [any RestorableViewController] { restorableTabs }
        override var placeChildren: [any RestorableViewController] { [restorableSelectedTab].compactMap { $0 } }
        override func encodeContainment(with coder: StateEncoder) { coder.encodeTabs(of: self) }
        override func decodeContainment(with coder: StateDecoder) { coder.decodeTabs(into: self) }
    }

    /// Represents a split view controller. All its columns are its children, whether or not it is collapsed, so that
    /// paths do not depend on the width of the window.
    final class SplitStandIn: ViewControllerStandIn, SplitContaining {
        private var split: UISplitViewController? { represented as? UISplitViewController }
        private var hasColumns: Bool { split?.style != .unspecified }
        /// The restored secondary column. In the classic style, the app may have dropped its own when it collapsed.
        private weak var secondary: UIViewController?

        var restorablePrimary: (any RestorableViewController)? {
            get { column(.primary, at: 0) }
            set { set(newValue, .primary, at: 0) }
        }
        var restorableSecondary: (any RestorableViewController)? {
            get { column(.secondary, at: 1) }
            set { set(newValue, .secondary, at: 1) }
        }
        private var restorableSupplementary: (any RestorableViewController)? {
            get { hasColumns ? column(.supplementary, at: 2) : nil }
            set { set(newValue, .supplementary, at: 2) }
        }
        var restorableShowsSecondary: Bool {
            get { split.map { !$0.isCollapsed || isInWindow(restorableSecondary) } ?? false }
            set { show(newValue ? .secondary : .primary) }
        }
        /// Whether the supplementary column is in front when the split view controller is collapsed.
        private var showsSupplementary: Bool { isCollapsed && isInWindow(restorableSupplementary) }

        private func isInWindow(_ column: (any RestorableViewController)?) -> Bool {
            (column as? ViewControllerStandIn)?.controller?.viewIfLoaded?.window != nil
        }

        private func show(_ column: UISplitViewController.Column) {
            guard !isCollapsed else { return showCollapsed(column, secondary) }
            // A split view controller collapses only when its window appears, and then asks its delegate for a column.
            Made.current?.whenActive { [weak self, secondary] in
                if let self, isCollapsed { showCollapsed(column, secondary) }
            }
        }

        private func showCollapsed(_ column: UISplitViewController.Column, _ secondary: UIViewController?) {
            guard let split else { return }
            if hasColumns {
                split.show(column)
            } else if column == .secondary, let secondary, !isInWindow(StandIns.of(secondary)) {
                split.showDetailViewController(secondary, sender: nil)
            }
        }
        var isCollapsed: Bool { split?.isCollapsed ?? false }

        private func column(_ column: UISplitViewController.Column, at index: Int) -> (any RestorableViewController)? {
            guard let split else { return nil }
            if hasColumns { return split.viewController(for: column).map { StandIns.of($0) } }
            if split.viewControllers.indices.contains(index) { return StandIns.of(split.viewControllers[index]) }
            // In the classic style, a collapsed split view controller has only one child, whose stack contains the other.
            guard split.isCollapsed, let stack = split.viewControllers.first as? UINavigationController else {
                return nil
            }
            return stack.viewControllers.first { $0 is UINavigationController }.map { StandIns.of($0) }
        }

        private func set(
            _ child: (any RestorableViewController)?, _ column: UISplitViewController.Column, at index: Int
        ) {
            guard let split, let child = (child as? ViewControllerStandIn)?.controller else { return }
            if column == .secondary { secondary = child }
            if hasColumns {
                if split.viewController(for: column) !== child { split.setViewController(child, for: column) }
            } else if split.viewControllers.indices.contains(index), split.viewControllers[index] !== child {
                split.viewControllers[index] = child
            }
        }

        override var restorableChildren: [any RestorableViewController] {
            let compact = hasColumns ? column(.compact, at: 3) : nil
            return [restorablePrimary, restorableSupplementary, restorableSecondary, compact].compactMap { $0 }
        }
        override var placeChildren: [any RestorableViewController] {
            showsSupplementary ? Array(restorableChildren.prefix(2)) : columnsOnTheWay
        }
        override func encodeContainment(with coder: StateEncoder) {
            coder.encodeColumns(of: self)
            guard let supplementary = restorableSupplementary, supplementary.restorationIdentifier != nil else {
                return
            }
            coder.encode(supplementary, forKey: Self.supplementaryKey)
            coder.encode(showsSupplementary, forKey: Self.showsSupplementaryKey)
        }
        override func decodeContainment(with coder: StateDecoder) {
            if let supplementary = coder.child(forKey: Self.supplementaryKey, of: self), restorableSupplementary != nil
            {
                restorableSupplementary = supplementary
            }
            coder.decodeColumns(into: self)
            if coder.decodeBool(forKey: Self.showsSupplementaryKey) { show(.supplementary) }
        }

        private static let supplementaryKey = "kSplitViewSupplementaryKey"
        private static let showsSupplementaryKey = "kSplitViewShowsSupplementaryKey"
    }

    /// Represents a page view controller, whose visible pages are restored.
    final class PageStandIn: ViewControllerStandIn, NavigationContaining {
        private var pages: UIPageViewController? { represented as? UIPageViewController }

        var restorableStack: [any RestorableViewController] {
            get { (pages?.viewControllers ?? []).map { StandIns.of($0) } }
            set {
                let controllers = newValue.controllers
                // UIKit raises an exception if the number isn't that of the visible pages.
                // https://developer.apple.com/documentation/uikit/uipageviewcontroller/setviewcontrollers(_:direction:animated:completion:)
                guard let pages, controllers.count == max(1, pages.viewControllers?.count ?? 0) else { return }
                pages.setViewControllers(controllers, direction: .forward, animated: false)
            }
        }

        override var restorableChildren: [any RestorableViewController] { restorableStack }
        override var placeChildren: [any RestorableViewController] { restorableStack }
        override func encodeContainment(with coder: StateEncoder) { coder.encodeStack(of: self) }
        override func decodeContainment(with coder: StateDecoder) { coder.decodeStack(into: self) }
    }
#endif
