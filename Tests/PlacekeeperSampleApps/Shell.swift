package import PlacekeeperStandIns
import PlacekeeperRuntime

/// The layout of an app's stacks on a device. A phone shows tabs. A pad shows the same tabs in the primary column,
/// and detail screens in the secondary column, beside the tabs or in front of them.
@MainActor
package final class Shell {
    /// The root view controller of the window.
    package let root: ViewController
    /// The tabs. Each tab has its own navigation stack.
    package let tabs = TabBarController()
    private let split: SplitViewController?
    private let detail = NavigationController()

    package init(_ stacks: [NavigationController], layout: DeviceLayout) {
        tabs.restorationIdentifier = "Tabs"
        tabs.viewControllers = stacks
        guard layout != .tabs else {
            split = nil
            root = tabs
            return
        }
        detail.restorationIdentifier = "Detail"
        let split = SplitViewController()
        split.restorationIdentifier = "Split"
        split.isCollapsed = layout == .collapsed
        (split.primary, split.secondary) = (tabs, detail)
        self.split = split
        root = split
    }

    /// Shows a tab.
    package func select(_ stack: NavigationController) {
        tabs.selected = stack
        split?.showsSecondary = false
    }

    /// Opens a detail screen.
    package func open(_ screen: ViewController) {
        if let split {
            detail.viewControllers = [screen]
            split.showsSecondary = true
        } else {
            (tabs.selected as? NavigationController)?.push(screen)
        }
    }

    /// Goes back from the detail screen to the list. If the layout shows both, the visible screens do not change.
    package func goBack() {
        if let split {
            split.showsSecondary = false
        } else {
            (tabs.selected as? NavigationController)?.pop()
        }
    }

    /// Shows the lists if no detail screen is open, so that a person does not see an empty column.
    package func showListsIfNothingIsOpen() {
        if detail.viewControllers.isEmpty { split?.showsSecondary = false }
    }

    /// The visible screens, from the back to the front.
    package var visible: [ViewController] {
        (split?.visible ?? [tabs]).flatMap { column in
            var screens: [ViewController] = []
            var next = (((column as? TabBarController)?.selected ?? column) as? NavigationController)?.top
            while let screen = next {
                screens.append(screen)
                next = screen.presented
            }
            return screens
        }
    }

    /// Tells all screens that more items have arrived.
    package func itemsArrived() {
        for case let screen as any ItemShowing in screens { screen.itemsArrived() }
    }

    /// All screens of all tabs and of the detail column, including hidden ones.
    package var screens: [ViewController] {
        (tabs.viewControllers + [detail]).compactMap { $0 as? NavigationController }.flatMap(\.viewControllers)
    }
}

extension NavigationController {
    /// Creates the navigation stack of a tab, with a restoration identifier.
    package convenience init(_ identifier: String, _ root: ViewController) {
        self.init(root: root)
        restorationIdentifier = identifier
        title = root.title
    }
}
