import Foundation
import PlacekeeperTesting
import Testing
import UIKit

/// Split view controllers, which are expanded in a wide window, and collapsed in a narrow one.
@MainActor
struct SplitViewTests {
    /// How a window was left, and how it is opened again.
    struct Change: CaseIterable, CustomTestStringConvertible {
        let before: UIUserInterfaceSizeClass
        let after: UIUserInterfaceSizeClass
        /// Whether the views appear before or after `scene(_:willConnectTo:options:)` returns.
        let appearsLate: Bool

        static var allCases: [Change] {
            let widths = [UIUserInterfaceSizeClass.compact, .regular]
            return widths.flatMap { before in
                widths.flatMap { after in
                    [false, true].map { Change(before: before, after: after, appearsLate: $0) }
                }
            }
        }
        var testDescription: String { "\(before) to \(after)\(appearsLate ? ", late" : "")" }
    }

    private let device = Device(.pad)

    private func open(
        _ width: UIUserInterfaceSizeClass, late: Bool = false, _ make: @escaping @MainActor () -> UISplitViewController
    ) async -> SmallWindow<UISplitViewController> {
        let opening = SmallApp.Opening(width: width, appearsInForeground: late)
        return await SmallApp(device).open(opening, root: make)
    }

    /// Columns with navigation controllers, as Xcode's template has them.
    private func columns(_ columns: UISplitViewController.Column...) -> UISplitViewController {
        let split = UISplitViewController(style: columns.count == 3 ? .tripleColumn : .doubleColumn)
        split.restorationIdentifier = "Split"
        for column in columns {
            split.setViewController(
                UINavigationController("\(column)", FirstPage("Root of \(column)", "\(column)")), for: column)
        }
        return split
    }

    @Test("both columns keep their stacks, and the column in front remains in front", arguments: Change.allCases)
    func restoresColumns(_ change: Change) async throws {
        for front in [UISplitViewController.Column.primary, .secondary] {
            let device = Device(.pad)
            func open(_ width: UIUserInterfaceSizeClass) async -> SmallWindow<UISplitViewController> {
                let opening = SmallApp.Opening(width: width, appearsInForeground: change.appearsLate)
                return await SmallApp(device).open(opening) { columns(.primary, .secondary) }
            }
            let first = await open(change.before)
            #expect(first.root.isCollapsed == (change.before == .compact))
            first.play { split in
                split.stack(.primary)?.insert(Page("Folder", "folder"), at: 1)
                split.stack(.secondary)?.insert(Page("Detail", "detail"), at: 1)
                split.show(front)
            }
            try await first.leave()

            let second = await open(change.after)
            #expect(second.root.isCollapsed == (change.after == .compact))
            #expect(second.root.stack(.primary)?.ownNotes == ["primary", "folder"], "\(front)")
            #expect(second.root.stack(.secondary)?.ownNotes == ["secondary", "detail"], "\(front)")
            let isInFront = second.root.isInWindow(.secondary)
            switch (change.before, change.after) {
            case (_, .regular):
                #expect(second.root.isInWindow(.primary) && isInFront)
            case (.compact, _):
                #expect(isInFront == (front == .secondary))
                #expect(second.root.isInWindow(.primary) == (front == .primary))
            default:
                // Both were visible. The user continues in the secondary column.
                #expect(isInFront)
            }
        }
    }

    @Test(
        "the restored column in front wins over the column that the app's delegate proposes", arguments: [false, true])
    func restoresColumnAfterDelegate(_ late: Bool) async throws {
        let delegate = PrimaryFirst()
        func split() -> UISplitViewController {
            let split = columns(.primary, .secondary)
            split.delegate = delegate
            return split
        }
        let first = await open(.compact, late: late, split)
        #expect(!first.root.isInWindow(.secondary))
        first.play { $0.show(.secondary) }
        try await first.leave()
        let second = await open(.compact, late: late, split)
        #expect(second.root.isInWindow(.secondary))
    }

    @Test("a window that becomes narrow after the restore shows the app's choice")
    func leavesLaterCollapseToTheApp() async throws {
        let delegate = PrimaryFirst()
        func split() -> UISplitViewController {
            let split = columns(.primary, .secondary)
            split.delegate = delegate
            return split
        }
        try await open(.regular, split).leave()
        let second = await open(.regular, split)
        second.play { _ in second.scene.double.setHorizontalSizeClass(.compact) }
        #expect(second.root.isCollapsed)
        #expect(!second.root.isInWindow(.secondary))
    }

    @Test("a window that becomes narrow in the background after the restore shows what the user chose there")
    func leavesLaterActivationToTheUser() async throws {
        let device = Device(.pad, try await TestService())
        func open() async -> SmallWindow<UISplitViewController> {
            await SmallApp(device).open(.init(width: .regular)) { columns(.primary, .secondary) }
        }
        try await open().leave()
        let second = await open()
        second.play { split in
            second.scene.double.deactivate()
            second.scene.double.setHorizontalSizeClass(.compact)
            split.show(.primary)
            second.scene.double.activate()
        }
        #expect(second.root.isInWindow(.primary) && !second.root.isInWindow(.secondary))
    }

    @Test("columns without navigation controllers of the app keep their state", arguments: Change.allCases)
    func restoresPlainColumns(_ change: Change) async throws {
        func split() -> UISplitViewController {
            let split = UISplitViewController(style: .doubleColumn)
            split.restorationIdentifier = "Split"
            split.setViewController(FirstPage("List"), for: .primary)
            split.setViewController(FirstPage("Detail"), for: .secondary)
            return split
        }
        let first = await open(change.before, late: change.appearsLate, split)
        first.play { split in
            (split.viewController(for: .primary) as? Page)?.note = "list"
            (split.viewController(for: .secondary) as? Page)?.note = "detail"
        }
        try await first.leave()
        let second = await open(change.after, late: change.appearsLate, split)
        #expect((second.root.viewController(for: .primary) as? Page)?.note == "list")
        #expect((second.root.viewController(for: .secondary) as? Page)?.note == "detail")
    }

    @Test("a secondary column that the app exchanged comes back", arguments: Change.allCases)
    func restoresExchangedColumn(_ change: Change) async throws {
        func split() -> UISplitViewController { columns(.primary, .secondary) }
        let first = await open(change.before, late: change.appearsLate, split)
        first.play { split in
            split.setViewController(Page("Article", "article"), for: .secondary)
            split.show(.secondary)
        }
        try await first.leave()
        let second = await open(change.after, late: change.appearsLate, split)
        #expect((second.root.viewController(for: .secondary) as? Page)?.note == "article")
        #expect((second.root.viewController(for: .secondary) as? Page)?.viewIfLoaded?.window != nil)
    }

    @Test("three columns keep their stacks", arguments: Change.allCases)
    func restoresThreeColumns(_ change: Change) async throws {
        func split() -> UISplitViewController { columns(.primary, .supplementary, .secondary) }
        let first = await open(change.before, late: change.appearsLate, split)
        first.play { split in
            for column in [UISplitViewController.Column.primary, .supplementary, .secondary] {
                split.stack(column)?.insert(Page("More", "more of \(column)"), at: 1)
            }
        }
        try await first.leave()
        let second = await open(change.after, late: change.appearsLate, split)
        for column in [UISplitViewController.Column.primary, .supplementary, .secondary] {
            #expect(second.root.stack(column)?.ownNotes == ["\(column)", "more of \(column)"])
        }
    }

    @Test(
        "of three collapsed columns, the one in front remains in front",
        arguments: [UISplitViewController.Column.primary, .supplementary, .secondary], [false, true])
    func restoresFrontOfThreeColumns(_ front: UISplitViewController.Column, _ late: Bool) async throws {
        func split() -> UISplitViewController { columns(.primary, .supplementary, .secondary) }
        let first = await open(.compact, late: late, split)
        first.play { $0.show(front) }
        #expect(first.root.isInWindow(front))
        try await first.leave()
        let second = await open(.compact, late: late, split)
        #expect(second.root.isInWindow(front))
    }

    @Test("a supplementary column that the app exchanged comes back", arguments: Change.allCases)
    func restoresExchangedSupplementary(_ change: Change) async throws {
        func split() -> UISplitViewController { columns(.primary, .supplementary, .secondary) }
        let first = await open(change.before, late: change.appearsLate, split)
        first.play { $0.setViewController(Page("Folder", "folder"), for: .supplementary) }
        try await first.leave()
        let second = await open(change.after, late: change.appearsLate, split)
        #expect((second.root.viewController(for: .supplementary) as? Page)?.note == "folder")
    }

    @Test("a modal screen over a split view comes back", arguments: Change.allCases)
    func restoresModal(_ change: Change) async throws {
        for front in [UISplitViewController.Column.primary, .secondary] {
            let device = Device(.pad)
            func open(_ width: UIUserInterfaceSizeClass) async -> SmallWindow<UISplitViewController> {
                let opening = SmallApp.Opening(width: width, appearsInForeground: change.appearsLate)
                return await SmallApp(device).open(opening) { columns(.primary, .secondary) }
            }
            let first = await open(change.before)
            first.play { split in
                split.show(front)
                split.present(Page("Modal", "modal"), animated: false)
            }
            try await first.leave()
            let second = await open(change.after)
            #expect((second.root.presentedViewController as? Page)?.note == "modal", "\(front)")
        }
    }

    @Test("the classic style keeps the state of both view controllers", arguments: Change.allCases)
    func restoresClassicStyle(_ change: Change) async throws {
        func split() -> UISplitViewController {
            let split = UISplitViewController()
            split.restorationIdentifier = "Split"
            split.viewControllers = [
                UINavigationController("Primary", FirstPage("List")),
                UINavigationController("Secondary", FirstPage("Detail")),
            ]
            return split
        }
        let opening = { SmallApp.Opening(width: $0, appearsInForeground: change.appearsLate) }
        let app = SmallApp(device)
        var pages: [UINavigationController] = []
        let first = await app.open(opening(change.before)) { () -> UISplitViewController in
            let made = split()
            pages = made.viewControllers.compactMap { $0 as? UINavigationController }
            return made
        }
        first.play { _ in
            for (stack, note) in zip(pages, ["list", "detail"]) { (stack.viewControllers.first as? Page)?.note = note }
        }
        try await first.leave()
        _ = await SmallApp(device).open(opening(change.after)) { () -> UISplitViewController in
            let made = split()
            pages = made.viewControllers.compactMap { $0 as? UINavigationController }
            return made
        }
        #expect(pages.map { ($0.viewControllers.first as? Page)?.note } == ["list", "detail"])
    }
}

private final class PrimaryFirst: NSObject, UISplitViewControllerDelegate {
    func splitViewController(
        _ svc: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column { .primary }
}

extension UISplitViewController {
    fileprivate func stack(_ column: Column) -> UINavigationController? {
        viewController(for: column) as? UINavigationController
    }
    fileprivate func isInWindow(_ column: Column) -> Bool {
        stack(column)?.viewControllers.first { !($0 is UINavigationController) && $0.viewIfLoaded?.window != nil }
            != nil
    }
}

extension UINavigationController {
    /// The notes without other columns on the stack.
    fileprivate var ownNotes: [String] { viewControllers.compactMap { ($0 as? Page)?.note } }

    /// Adds a page below the columns on the stack.
    fileprivate func insert(_ page: Page, at index: Int) {
        var pages = viewControllers
        pages.insert(page, at: index)
        setViewControllers(pages, animated: false)
    }
}
