import Foundation
import Testing
import UIKit

/// Scroll views, and lists whose rows have no identifiers.
@MainActor
struct ViewTests {
    private let device = Device(.phone)

    private func open(_ make: @MainActor () -> ViewPage) async -> SmallWindow<ViewPage> {
        await SmallApp(device).open(root: make)
    }

    // MARK: Scroll views

    private func zooming(_ delegate: Zooming) -> ViewPage {
        ViewPage {
            let scroll = UIScrollView()
            scroll.restorationIdentifier = "Scroll"
            (scroll.delegate, scroll.maximumZoomScale) = (delegate, 4)
            scroll.contentSize = CGSize(width: 1000, height: 2000)
            return [scroll]
        }
    }

    @Test("a scroll view keeps its zoom scale, insets and offset")
    func restoresScrollView() async throws {
        let delegate = Zooming()
        let inset = UIEdgeInsets(top: 20, left: 3, bottom: 40, right: 5)
        let first = await open { zooming(delegate) }
        first.play { page in
            let scroll = page.view(as: UIScrollView.self)
            scroll?.zoomScale = 2.5
            scroll?.contentInset = inset
            scroll?.contentOffset = CGPoint(x: 120.5, y: -20)
        }
        try await first.leave()
        let scroll = await open { zooming(delegate) }.root.view(as: UIScrollView.self)
        #expect(scroll?.zoomScale == 2.5)
        #expect(scroll?.contentInset == inset)
        #expect(scroll?.contentOffset == CGPoint(x: 120.5, y: -20))
    }

    @Test("a scroll view that the app moves during the restore is moved back")
    func restoresOffsetAgain() async throws {
        let delegate = Zooming()
        let first = await open { zooming(delegate) }
        first.play { $0.view(as: UIScrollView.self)?.contentOffset = CGPoint(x: 0, y: 500) }
        try await first.leave()
        let second = await open {
            let page = zooming(delegate)
            page.onDecode = { page.view(as: UIScrollView.self)?.contentOffset = .zero }
            return page
        }
        #expect(second.root.view(as: UIScrollView.self)?.contentOffset.y == 500)
    }

    @Test("a view inside a view with an identifier keeps its own state")
    func restoresNestedViews() async throws {
        func page() -> ViewPage {
            ViewPage {
                let (outer, layout, inner) = (UIScrollView(), UIView(), UIScrollView())
                (outer.restorationIdentifier, inner.restorationIdentifier) = ("Scroll", "Scroll")
                outer.addSubview(layout)
                layout.addSubview(inner)
                return [outer]
            }
        }
        func scrolls(_ page: ViewPage) -> [UIScrollView] {
            let outer = page.view.subviews.compactMap { $0 as? UIScrollView }
            return outer + outer.flatMap(\.subviews).flatMap(\.subviews).compactMap { $0 as? UIScrollView }
        }
        let first = await open(page)
        first.play { page in
            for (scroll, y) in zip(scrolls(page), [11, 22]) { scroll.contentOffset = CGPoint(x: 0, y: y) }
        }
        try await first.leave()
        #expect(scrolls(await open(page).root).map { Double($0.contentOffset.y) } == [11, 22])
    }

    // MARK: Lists without identifiers

    private func numbered(_ count: Int) -> Rows { Rows((0..<count).map { "a\($0)" }, (0..<count).map { "b\($0)" }) }

    @Test("a table without identifiers keeps its selected index path and its top row")
    func restoresStaticTable() async throws {
        let rows = numbered(30)
        let first = await open { .table(rows) }
        first.play { page in
            page.tap("b9", of: rows)
            page.table?.contentOffset = CGPoint(x: 0, y: 44 * 31 + 7)
        }
        try await first.leave()
        let second = await open { .table(rows) }
        #expect(second.root.selectedNames(rows) == ["b9"])
        #expect(second.root.top(rows) == "b1 -7.0")
    }

    @Test("index paths beyond the end of a table without identifiers are ignored")
    func ignoresIndexPathsBeyondTheEnd() async throws {
        let rows = numbered(30)
        let first = await open { .table(rows, multiple: true) }
        first.play { page in
            for name in ["a1", "a29", "b0", "b29"] { page.tap(name, of: rows) }
            page.table?.contentOffset = CGPoint(x: 0, y: 44 * 55)
        }
        try await first.leave()
        let fewer = numbered(20)
        let second = await open { .table(fewer, multiple: true) }
        #expect(second.root.selectedNames(fewer) == ["a1", "b0"])
        try await second.leave()
        fewer.sections.removeLast()
        let third = await open { .table(fewer, multiple: true) }
        #expect(third.root.selectedNames(fewer) == ["a1"])
    }

    // MARK: Selection

    @Test("a table keeps its selection by identifiers", arguments: [false, true])
    func restoresSelection(_ isMultiple: Bool) async throws {
        let rows = NamedRows((0..<40).map { "row \($0)" })
        let first = await open { .table(rows, multiple: isMultiple) }
        first.play { page in
            for name in ["row 3", "row 9", "row 30"] { page.tap(name, of: rows) }
        }
        try await first.leave()
        let moved = NamedRows(["new"], (0..<40).reversed().map { "row \($0)" })
        let second = await open { .table(moved, multiple: isMultiple) }
        #expect(Set(second.root.selectedNames(moved)) == (isMultiple ? ["row 3", "row 9", "row 30"] : ["row 30"]))
    }

    @Test("a table without a selection has none again, even if the app selects a row first")
    func restoresEmptySelection() async throws {
        let rows = NamedRows(["a", "b", "c"])
        try await open { .table(rows) }.leave()
        let second = await open { .table(rows) }
        #expect(second.root.selectedNames(rows) == [])
    }

    // MARK: Collection views

    private func sideways(_ rows: Rows) -> ViewPage {
        ViewPage {
            let layout = UICollectionViewFlowLayout()
            layout.scrollDirection = .horizontal
            (layout.itemSize, layout.minimumLineSpacing) = (CGSize(width: 100, height: 100), 10)
            let strip = UICollectionView(
                frame: CGRect(x: 0, y: 0, width: 390, height: 100), collectionViewLayout: layout)
            strip.restorationIdentifier = "Strip"
            (strip.dataSource, strip.allowsMultipleSelection) = (rows, true)
            return [strip]
        }
    }

    @Test("a collection view that scrolls sideways keeps its offset and its selection")
    func restoresSidewaysCollection() async throws {
        let rows = NamedRows((0..<50).map { "item \($0)" })
        let first = await open { sideways(rows) }
        first.play { page in
            let strip = page.view(as: UICollectionView.self)
            strip?.layoutIfNeeded()
            strip?.contentOffset = CGPoint(x: 1733, y: 0)
            for item in [16, 40] { strip?.double.tap(IndexPath(item: item, section: 0)) }
        }
        try await first.leave()
        let strip = await open { sideways(rows) }.root.view(as: UICollectionView.self)
        #expect(strip?.contentOffset == CGPoint(x: 1733, y: 0))
        #expect(strip?.indexPathsForSelectedItems?.map(\.item).sorted() == [16, 40])
    }

    @Test("a collection view without identifiers keeps its place, and ignores items beyond the end")
    func restoresStaticCollection() async throws {
        let rows = Rows((0..<50).map { "item \($0)" })
        let first = await open { sideways(rows) }
        first.play { page in
            let strip = page.view(as: UICollectionView.self)
            strip?.layoutIfNeeded()
            strip?.contentOffset = CGPoint(x: 333, y: 0)
            for item in [2, 40] { strip?.double.tap(IndexPath(item: item, section: 0)) }
        }
        try await first.leave()
        rows.sections[0].removeLast(20)
        let strip = await open { sideways(rows) }.root.view(as: UICollectionView.self)
        #expect(strip?.contentOffset == CGPoint(x: 333, y: 0))
        #expect(strip?.indexPathsForSelectedItems?.map(\.item) == [2])
    }
}

private final class Zooming: NSObject, UIScrollViewDelegate {
    func viewForZooming(in scrollView: UIScrollView) -> UIView? { scrollView }
}
