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
                let columns = navigation.viewControllers.filter { $0 is UINavigationController }
                navigation.setViewControllers(newValue.controllers + columns, animated: false)
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

        var restorablePrimary: (any RestorableViewController)? {
            get { column(.primary, at: 0) }
            set { set(newValue, .primary, at: 0) }
        }
        var restorableSecondary: (any RestorableViewController)? {
            get { column(.secondary, at: 1) }
            set { set(newValue, .secondary, at: 1) }
        }
        var restorableShowsSecondary: Bool {
            get {
                guard let split else { return false }
                guard split.isCollapsed, let secondary = restorableSecondary as? ViewControllerStandIn else {
                    return true
                }
                return secondary.controller?.viewIfLoaded?.window != nil
            }
            set {
                guard let split, hasColumns else { return }
                guard !split.isCollapsed else { return split.show(newValue ? .secondary : .primary) }
                // A split view controller collapses only when its window appears, and then asks its delegate for a column.
                Made.current?.whenActive { [weak split] in
                    if let split, split.isCollapsed { split.show(newValue ? .secondary : .primary) }
                }
            }
        }
        var isCollapsed: Bool { split?.isCollapsed ?? false }

        private func column(_ column: UISplitViewController.Column, at index: Int) -> (any RestorableViewController)? {
            guard let split else { return nil }
            if hasColumns { return split.viewController(for: column).map { StandIns.of($0) } }
            return split.viewControllers.indices.contains(index) ? StandIns.of(split.viewControllers[index]) : nil
        }

        private func set(
            _ child: (any RestorableViewController)?, _ column: UISplitViewController.Column, at index: Int
        ) {
            guard let split, let child = (child as? ViewControllerStandIn)?.controller else { return }
            if hasColumns {
                if split.viewController(for: column) !== child { split.setViewController(child, for: column) }
            } else if split.viewControllers.indices.contains(index), split.viewControllers[index] !== child {
                split.viewControllers[index] = child
            }
        }

        override var restorableChildren: [any RestorableViewController] {
            [restorablePrimary, hasColumns ? column(.supplementary, at: 2) : nil, restorableSecondary].compactMap { $0 }
        }
        override var placeChildren: [any RestorableViewController] { columnsOnTheWay }
        override func encodeContainment(with coder: StateEncoder) { coder.encodeColumns(of: self) }
        override func decodeContainment(with coder: StateDecoder) { coder.decodeColumns(into: self) }
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
                guard let pages, controllers.count == pages.viewControllers?.count else { return }
                pages.setViewControllers(controllers, direction: .forward, animated: false)
            }
        }

        override var restorableChildren: [any RestorableViewController] { restorableStack }
        override var placeChildren: [any RestorableViewController] { restorableStack }
        override func encodeContainment(with coder: StateEncoder) { coder.encodeStack(of: self) }
        override func decodeContainment(with coder: StateDecoder) { coder.decodeStack(into: self) }
    }
#endif
