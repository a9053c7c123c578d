package import RestorationInterface
import StateRestoration

/// An app's stacks as a device lays them out. On a phone they are tabs. On a pad the same tabs lead, and what their lists
/// lead to is shown in the other column, beside them or in front of them.
@MainActor
package final class Shell {
    /// The root of the window.
    package let root: ViewController
    /// One stack each, whose first screen is a list.
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

    /// Opens what a list leads to.
    package func open(_ screen: ViewController) {
        if let split {
            detail.viewControllers = [screen]
            split.showsSecondary = true
        } else {
            (tabs.selected as? NavigationController)?.push(screen)
        }
    }

    /// A person goes back to the list, where there is not room for both.
    package func goBack() {
        if let split {
            split.showsSecondary = false
        } else {
            (tabs.selected as? NavigationController)?.pop()
        }
    }

    /// Puts the lists in front when what was open does not exist any more.
    package func showListsIfNothingIsOpen() {
        if detail.viewControllers.isEmpty { split?.showsSecondary = false }
    }

    /// What a person sees, from the back to the front.
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

    /// More items are there: what waits for one looks again.
    package func itemsArrived() {
        for case let screen as any ItemShowing in screens { screen.itemsArrived() }
    }

    /// All screens, those that are hidden as well: each tab's, and what is open beside them.
    package var screens: [ViewController] {
        (tabs.viewControllers + [detail]).compactMap { $0 as? NavigationController }.flatMap(\.viewControllers)
    }
}

extension NavigationController {
    /// A tab with a name.
    package convenience init(_ identifier: String, _ root: ViewController) {
        self.init(root: root)
        restorationIdentifier = identifier
        title = root.title
    }
}
