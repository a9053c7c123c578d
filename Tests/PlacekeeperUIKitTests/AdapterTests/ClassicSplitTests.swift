import Foundation
import Testing
import UIKit

/// A phone's split view controller in the classic style, as of apps from before iOS 14: it shows the list, and the detail
/// when the person selects a row.
@MainActor
struct ClassicSplitTests {
    private func split(_ delegate: ListFirst) -> UISplitViewController {
        let split = UISplitViewController()
        split.restorationIdentifier = "Split"
        split.delegate = delegate
        split.viewControllers = [
            UINavigationController("Primary", FirstPage("List")), ClassicDetail.make(),
        ]
        return split
    }

    @Test("the detail that was shown comes back, also if the app discards its own at launch", arguments: [false, true])
    func restoresShownDetail(_ appearsLate: Bool) async throws {
        let device = Device(.phone)
        let delegate = ListFirst()
        let opening = SmallApp.Opening(width: .compact, appearsInForeground: appearsLate)
        let first = await SmallApp(device).open(opening) { split(delegate) }
        first.play { split in
            let detail = ClassicDetail.make()
            (detail.viewControllers.first as? Page)?.note = "row 7"
            split.showDetailViewController(detail, sender: nil)
        }
        try await first.leave()

        let second = await SmallApp(device).open(opening) { split(delegate) }
        let list = try #require(second.root.viewControllers.first as? UINavigationController)
        let detail = try #require(list.viewControllers.last as? UINavigationController)
        #expect((detail.viewControllers.first as? Page)?.note == "row 7")
    }

    @Test("the list comes back if it was shown", arguments: [false, true])
    func restoresList(_ appearsLate: Bool) async throws {
        let device = Device(.phone)
        let delegate = ListFirst()
        let opening = SmallApp.Opening(width: .compact, appearsInForeground: appearsLate)
        let first = await SmallApp(device).open(opening) { split(delegate) }
        first.play { split in
            let list = split.viewControllers.first as? UINavigationController
            (list?.viewControllers.first as? Page)?.note = "scrolled"
        }
        try await first.leave()
        let second = await SmallApp(device).open(opening) { split(delegate) }
        let list = try #require(second.root.viewControllers.first as? UINavigationController)
        #expect(list.notes == ["scrolled"])
    }
}

/// Shows the list when the split view controller collapses, as Xcode's old template does.
private final class ListFirst: NSObject, UISplitViewControllerDelegate {
    func splitViewController(
        _ splitViewController: UISplitViewController, collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool { true }
}

/// Makes the detail's navigation controller again.
final class ClassicDetail: NSObject, UIViewControllerRestoration {
    @MainActor static func make() -> UINavigationController {
        let detail = UINavigationController("Secondary", FirstPage("Detail"))
        detail.restorationClass = ClassicDetail.self
        return detail
    }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> UIViewController? { make() }
}
