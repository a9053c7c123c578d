import Foundation
import Testing
import UIKit

/// Containers of UIKit's and of the app.
@MainActor
struct ContainerTests {
    private let device = Device(.phone)

    private func open<Root: UIViewController>(_ make: @MainActor () -> Root) async -> SmallWindow<Root> {
        await SmallApp(device).open(root: make)
    }

    // MARK: Pages

    @Test("a page view controller shows its page again", arguments: [1, 2])
    func restoresPages(_ count: Int) async throws {
        func book() -> UIPageViewController {
            let book = UIPageViewController(transitionStyle: .pageCurl, navigationOrientation: .horizontal)
            book.restorationIdentifier = "Book"
            let pages = (1...count).map { Page("Page \($0)") }
            book.setViewControllers(pages, direction: .forward, animated: false)
            return book
        }
        let first = await open(book)
        first.play { book in
            let pages = (0..<count).map { Page("Page \(30 + $0)", "text \(30 + $0)") }
            book.setViewControllers(pages, direction: .forward, animated: false)
        }
        try await first.leave()
        let second = await open(book)
        let notes = (second.root.viewControllers ?? []).map { ($0 as? Page)?.note }
        #expect(notes == (0..<count).map { "text \(30 + $0)" })
    }

    @Test("a page view controller that shows another number of pages now keeps them")
    func keepsNumberOfPages() async throws {
        func book(_ count: Int) -> UIPageViewController {
            let book = UIPageViewController(transitionStyle: .pageCurl, navigationOrientation: .horizontal)
            book.restorationIdentifier = "Book"
            let pages = (1...count).map { Page("Page \($0)", "page \($0)") }
            book.setViewControllers(pages, direction: .forward, animated: false)
            return book
        }
        try await open { book(2) }.leave()
        #expect(await open { book(1) }.root.viewControllers?.count == 1)
    }

    // MARK: Stacks

    @Test("pages of a stack that share an identifier come back in order, each with its own state")
    func restoresPagesWithSharedIdentifier() async throws {
        func stack() -> UINavigationController { UINavigationController("Stack", FirstPage("Folder")) }
        let first = await open(stack)
        first.play { stack in
            (stack.viewControllers[0] as? Page)?.note = "root"
            for note in ["a", "b", "c"] { stack.pushViewController(Page("Folder", note), animated: false) }
        }
        try await first.leave()
        let second = await open(stack)
        #expect(second.root.notes == ["root", "a", "b", "c"])
        // And once more, from the restored screens.
        second.play { $0.popViewController(animated: false) }
        try await second.leave()
        #expect(await open(stack).root.notes == ["root", "a", "b"])
    }

    @Test("a stack ends below the first page that is gone")
    func endsStackBeforeMissingPage() async throws {
        func stack() -> UINavigationController { UINavigationController("Stack", FirstPage("First")) }
        let first = await open(stack)
        first.play { stack in
            for note in ["a", "gone", "c"] { stack.pushViewController(Page("Page " + note, note), animated: false) }
        }
        try await first.leave()
        #expect(await open(stack).root.notes == ["", "a"])
    }

    @Test("each restored object learns once that restoration is complete")
    func finishesOnce() async throws {
        func stack() -> UINavigationController { UINavigationController("Stack", FirstPage("First")) }
        let first = await open(stack)
        first.play { $0.pushViewController(Page("Second"), animated: false) }
        try await first.leave()
        let second = await open(stack)
        #expect(second.root.viewControllers.map { ($0 as? Page)?.finishes } == [1, 1])
    }

    // MARK: Tabs

    @Test("a tab that was never shown isn't loaded by a save")
    func savesWithoutLoading() async throws {
        func tabs() -> UITabBarController {
            let tabs = UITabBarController()
            tabs.restorationIdentifier = "Tabs"
            tabs.viewControllers = [
                UINavigationController("Left", FirstPage("A")), UINavigationController("Right", FirstPage("B")),
            ]
            return tabs
        }
        let first = await open(tabs)
        try await first.leave()
        let right = first.root.viewControllers?[1] as? UINavigationController
        #expect(right?.isViewLoaded == false)
        #expect(right?.viewControllers.first?.isViewLoaded == false)

        let second = await open(tabs)
        second.play { tabs in
            tabs.selectedIndex = 1
            (tabs.viewControllers?[1] as? UINavigationController)?.pushViewController(Page("C", "c"), animated: false)
        }
        try await second.leave()
        let third = await open(tabs)
        #expect(third.root.selectedIndex == 1)
        #expect((third.root.selectedViewController as? UINavigationController)?.notes == ["", "c"])
    }

    // MARK: Containers of the app

    @Test("the children of a custom container come back with their state")
    func restoresChildren() async throws {
        let first = await open { Panes("Panes", ["Left", "Right"]) }
        first.play { panes in
            for (pane, note) in zip(panes.panes, ["l", "r"]) { pane.note = note }
        }
        try await first.leave()
        #expect(await open { Panes("Panes", ["Left", "Right"]) }.root.notes == ["l", "r"])
    }

    @Test("children of a custom container that share an identifier are told apart by their order")
    func tellsChildrenApart() async throws {
        let first = await open { Panes("Panes", ["Pane", "Pane", "Pane"]) }
        first.play { panes in
            for (pane, note) in zip(panes.panes, ["a", "b", "c"]) { pane.note = note }
        }
        try await first.leave()
        #expect(await open { Panes("Panes", ["Pane", "Pane", "Pane"]) }.root.notes == ["a", "b", "c"])
    }

    @Test("a custom container that changes its children saves references to them")
    func restoresChangedChildren() async throws {
        let first = await open { Panes("Panes", ["Left"]) }
        first.play { $0.add(Page("Added", "later")) }
        try await first.leave()
        #expect(await open { Panes("Panes", ["Left"]) }.root.notes == ["", "later"])
    }

    // MARK: Views

    @Test("of two views with one identifier below a view controller, the first is saved, and the rest of the screen")
    func savesFirstOfEqualViews() async throws {
        func page() -> ViewPage {
            ViewPage {
                (1...2).map { _ in
                    let scroll = UIScrollView()
                    scroll.restorationIdentifier = "Scroll"
                    return scroll
                }
            }
        }
        let first = await open(page)
        first.play { page in
            page.note = "saved"
            for (index, view) in page.view.subviews.enumerated() {
                (view as? UIScrollView)?.contentOffset = CGPoint(x: 0, y: 10 + index)
            }
        }
        try await first.leave()
        let second = await open(page)
        #expect(second.root.note == "saved")
        let offsets = second.root.view.subviews.map { Double(($0 as? UIScrollView)?.contentOffset.y ?? -1) }
        #expect(offsets == [10, 0])
    }

    @Test("a view with the identifier of a child view controller doesn't stop the save")
    func savesChildInsteadOfEqualView() async throws {
        func page() -> ViewPage {
            ViewPage {
                let map = UIScrollView()
                map.restorationIdentifier = "Map"
                return [map]
            }
        }
        func addChild(to page: ViewPage) -> Page {
            let child = FirstPage("Map", "new")
            page.addChild(child)
            page.view.addSubview(child.view)
            return child
        }
        let first = await open(page)
        first.play { page in
            page.note = "saved"
            addChild(to: page).note = "child"
        }
        try await first.leave()
        var child: Page?
        let second = await open { () -> ViewPage in
            let made = page()
            child = addChild(to: made)
            return made
        }
        #expect(second.root.note == "saved")
        #expect(child?.note == "child")
    }

    @Test("views in cells aren't saved: the cell may show another row at the next launch")
    func skipsCells() async throws {
        let calls = Calls()
        let inside = Calls()
        let cells = CellsWithViews(calls: inside)
        func page() -> ViewPage {
            ViewPage {
                let (table, outside) = (UITableView(), OwnView())
                table.restorationIdentifier = "Table"
                (outside.restorationIdentifier, outside.calls) = ("Own", calls)
                table.dataSource = cells
                return [table, outside]
            }
        }
        try await open(page).leave()
        let second = await open(page)
        #expect(second.root.view(as: CellView.self) != nil)
        #expect(calls.names == ["encode", "decode", "finish"])
        #expect(inside.names == [])
    }
}

/// A container with children beside each other.
private final class Panes: Page {
    private let identifiers: [String]
    var panes: [Page] { children.compactMap { $0 as? Page } }
    var notes: [String] { panes.map(\.note) }

    init(_ identifier: String, _ identifiers: [String]) {
        self.identifiers = identifiers
        super.init(identifier)
        restorationClass = nil
    }
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        for identifier in identifiers { add(FirstPage(identifier)) }
    }

    func add(_ pane: Page) {
        addChild(pane)
        view.addSubview(pane.view)
        pane.didMove(toParent: self)
    }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(panes.dropFirst(identifiers.count).map { $0 }, forKey: "added")
    }
    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        for pane in coder.decodeObject(forKey: "added") as? [Page] ?? [] { add(pane) }
    }
}

/// Rows whose cells have a restorable view.
private final class CellsWithViews: NSObject, UITableViewDataSource {
    let calls: Calls

    init(calls: Calls) { self.calls = calls }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 3 }
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let (cell, view) = (UITableViewCell(style: .default, reuseIdentifier: nil), CellView())
        (view.restorationIdentifier, view.calls) = ("InCell", calls)
        cell.contentView.addSubview(view)
        return cell
    }
}

private final class CellView: UIView {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) { calls?.note("encode") }
    override func decodeRestorableState(with coder: NSCoder) { calls?.note("decode") }
}
