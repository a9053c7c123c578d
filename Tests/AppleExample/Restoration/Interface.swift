import UIKit

/// Makes the view controllers of the case, with the same identifiers for each origin.
@MainActor
enum Interface {
    private static let storyboard = UIStoryboard(name: "Screens", bundle: nil)
    private static let pages = Pages()
    private static let columns = Columns()

    /// The window's first view controller.
    static func root() -> UIViewController {
        switch Case.current.screen {
        case .navigation: container("Navigation") { UINavigationController(rootViewController: screen("First")) }
        case .tab: container("Tabs") { tabs() }
        case .split: split()
        case .page: firstPage()
        case .table: screen("Rows")
        case .text: screen("Note")
        }
    }

    /// Makes a screen that the window shows from the start.
    static func screen(_ name: String) -> CounterScreen {
        let screen: CounterScreen? =
            switch Case.current.origin {
            case .storyboard: storyboard.instantiateViewController(withIdentifier: name) as? CounterScreen
            case .nib: made(name, nib: true)
            case .code: made(name, nib: false)
            }
        return screen ?? made(name, nib: false)
    }

    /// Makes a screen that is shown later, and that a restore makes again: from the storyboard, or by its restoration
    /// class.
    static func laterScreen(_ name: String) -> CounterScreen {
        let later = screen(name)
        if Case.current.origin != .storyboard { later.restorationClass = CounterScreen.self }
        return later
    }

    private static func made(_ name: String, nib: Bool) -> CounterScreen {
        let screen =
            switch name {
            case "Rows": TableScreen(nibName: nib ? "TableScreen" : nil, bundle: nil)
            case "Note": TextScreen(nibName: nib ? "TextScreen" : nil, bundle: nil)
            default: CounterScreen(nibName: nib ? "CounterScreen" : nil, bundle: nil)
            }
        (screen.restorationIdentifier, screen.title) = (name, name)
        return screen
    }

    /// Takes a container from the storyboard, or makes it in code. A nib has the view of a single screen.
    private static func container<Container: UIViewController>(
        _ name: String, _ make: () -> Container
    ) -> Container {
        let stored =
            Case.current.origin == .storyboard ? storyboard.instantiateViewController(withIdentifier: name) : nil
        let container = stored as? Container ?? make()
        container.restorationIdentifier = name
        return container
    }

    private static func tabs() -> UITabBarController {
        let tabs = UITabBarController()
        tabs.viewControllers = [screen("First"), screen("Second")]
        return tabs
    }

    private static func split() -> UISplitViewController {
        let split: UISplitViewController = container("Split") {
            let split = UISplitViewController(style: .doubleColumn)
            split.setViewController(column("Primary", "First"), for: .primary)
            split.setViewController(column("Secondary", "Second"), for: .secondary)
            return split
        }
        split.delegate = columns
        return split
    }

    private static func column(_ name: String, _ root: String) -> UINavigationController {
        let column = UINavigationController(rootViewController: screen(root))
        column.restorationIdentifier = name
        return column
    }

    private static func firstPage() -> UIPageViewController {
        let book: UIPageViewController = container("Pages") {
            UIPageViewController(transitionStyle: .scroll, navigationOrientation: .horizontal)
        }
        book.dataSource = pages
        book.setViewControllers([screen("First")], direction: .forward, animated: false)
        return book
    }
}

/// The two pages of the page view controller.
private final class Pages: NSObject, UIPageViewControllerDataSource {
    func pageViewController(
        _ pageViewController: UIPageViewController, viewControllerBefore viewController: UIViewController
    ) -> UIViewController? {
        viewController.restorationIdentifier == "Second" ? Interface.laterScreen("First") : nil
    }
    func pageViewController(
        _ pageViewController: UIPageViewController, viewControllerAfter viewController: UIViewController
    ) -> UIViewController? {
        viewController.restorationIdentifier == "First" ? Interface.laterScreen("Second") : nil
    }
}

/// Shows the primary column first in a narrow window.
private final class Columns: NSObject, UISplitViewControllerDelegate {
    func splitViewController(
        _ svc: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column { .primary }
}
