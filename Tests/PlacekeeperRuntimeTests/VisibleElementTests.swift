import PlacekeeperArchive
import PlacekeeperSampleApps
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests that all visible items of a list come back at their visual positions.
@MainActor
struct VisibleElementTests {
    /// A list in a screen of an app, with its data source.
    @MainActor
    private final class Shown {
        let list = TableView()
        let source: Elements
        let app: TestApp

        init(_ source: Elements, named identifier: String = "List") {
            self.source = source
            let screen = Screen("Root")
            app = TestApp(screen)
            list.restorationIdentifier = identifier
            list.dataSource = source
            screen.views = [list]
        }

        /// Returns the distance from the top of the list down to a row. Nil if the list does not have the row.
        func y(of name: String) -> Double? {
            source.sections[0].firstIndex(of: name).map { Double($0) * list.rowHeight - list.contentOffset }
        }
    }

    private let all = (0..<60).map { "e\($0)" }

    private func archive(scrolledTo offset: Double, _ use: (TableView) -> Void = { _ in }) throws -> StateArchive {
        let shown = Shown(Elements([all]))
        use(shown.list)
        shown.list.scroll(to: offset)
        return try #require(try shown.app.save())
    }

    @Test("seed 72 · when the first visible item is gone, the others keep their visual positions", .tags(.seed))
    func keepsOtherVisibleItemsInPlace() throws {
        let archive = try archive(scrolledTo: 44 * 20 + 13)
        for gone in [["e20"], ["e20", "e21", "e22"], ["e19", "e20", "e29"], (13...29).map { "e\($0)" }] {
            let shown = Shown(Elements([["new"] + all.filter { !gone.contains($0) }]))
            try shown.app.restore(archive)
            for row in 20...30 where !gone.contains("e\(row)") {
                // If rows between two visible rows are gone, the lower row moves up.
                let first = try #require((20...30).first { !gone.contains("e\($0)") })
                let between = (first..<max(first, row)).count { gone.contains("e\($0)") }
                #expect(shown.y(of: "e\(row)") == Double(row - 20 - between) * 44 - 13, "\(gone)")
            }
        }
    }

    @Test("seed 72 · a list with another row height shows the item at the same visual position", .tags(.seed))
    func keepsVisualPositionsAtAnotherHeight() throws {
        let archive = try archive(scrolledTo: 44 * 20 + 13)
        let shown = Shown(Elements([all.filter { $0 != "e20" }]))
        shown.list.rowHeight = 100
        try shown.app.restore(archive)
        #expect(shown.y(of: "e21") == 31)
    }

    @Test("seed 72 · all items that wait for their data are saved again", .tags(.seed))
    func savesAwaitedItemsAgain() throws {
        let waiting = Shown(Elements([[]]))
        try waiting.app.restore(archive(scrolledTo: 44 * 20 + 13))
        let shown = Shown(Elements([all.filter { $0 != "e20" }]))
        try shown.app.restore(waiting.app.save())
        #expect(shown.y(of: "e25") == 207)
    }

    @Test("seed 72 · a list that became too short to scroll stays at its top", .tags(.seed))
    func staysAtTheTopOfAShortList() throws {
        let shown = Shown(Elements("e25", "e26"))
        // The app itself scrolls at launch.
        shown.list.scroll(to: 30)
        try shown.app.restore(archive(scrolledTo: 44 * 20 + 13))
        #expect(shown.list.contentOffset == 0)
    }

    @Test func ignoresAnchorOffsetOutsideOfTheVisibleArea() throws {
        for (offset, y) in [(-480.0, 0.0), (-479, 479), (-1e300, 0), (.nan, 0), (.infinity, 0), (43, -43), (44, 0)] {
            let shown = Shown(Elements([all]))
            shown.list.listAnchor = ListAnchor(indexPath: .init(item: 40), offset: offset)
            #expect(shown.y(of: "e40") == y)
        }
    }

    @Test func listsAllVisibleRows() {
        let shown = Shown(Elements([all]))
        shown.list.visibleHeight = 100
        shown.list.scroll(to: 44 * 10 + 12)
        #expect(shown.list.listVisible.map(\.indexPath.item) == [10, 11, 12])
        #expect(shown.list.listVisible.map(\.offset) == [12, -32, -76])
        shown.list.scroll(to: 44 * 59)
        #expect(shown.list.listVisible.map(\.indexPath.item) == [59])
    }

    @Test func looksUpRepeatedVisibleItemOnce() throws {
        var archive = try archive(scrolledTo: 44 * 20)
        let index = try #require(archive.objects.firstIndex { $0.path.hasSuffix("List") })
        archive.objects[index].state["kListVisibleElementsKey"] = .array(
            [.reference(-1), .reference(999)] + Array(repeating: .reference(1), count: 10_000))
        archive.objects[index].state["kListVisibleOffsetsKey"] = .array(
            [.real(.nan)] + Array(repeating: .real(-44), count: 10_000))
        let shown = Shown(Elements([[]]))
        try shown.app.restore(archive)
        #expect((shown.list.pendingList?.others.count ?? 0) <= 1)
    }

    @Test("seed 70 · a data source may reload its list in each call", .tags(.seed))
    func restoresListThatIsReloadedInEachCall() throws {
        let before = Reloading(all)
        let saved = before.app()
        before.list?.select(.init(item: 7), .init(item: 31))
        before.list?.scroll(to: 44 * 20 + 13)
        let archive = try saved.save()
        let after = Reloading(["new"] + all.filter { $0 != "e20" })
        try after.app().restore(archive)
        #expect(after.list?.listSelection == [.init(item: 8), .init(item: 31)])
        #expect(after.list?.contentOffset == Double(44 * 21 - 31))
        // Each lookup causes at most one round of other lookups.
        #expect(after.calls < 2_000)
        after.list?.reloadData()
        #expect(after.list?.listSelection == [.init(item: 8), .init(item: 31)])
    }

    @Test("seed 70 · a custom list may apply its pending list while its data source is asked", .tags(.seed))
    func appliesPendingListDuringTheLookUp() {
        let source = Reloading(all)
        let list = OwnList(source)
        source.reloads = { list.applyPendingList() }
        list.show(
            PendingList(
                selection: [ModelReference(dataSource: "elements", element: .init("e31"), role: .selected)],
                anchor: ModelReference(dataSource: "elements", element: .init("e20"), role: .firstVisible), offset: 5))
        #expect(list.listSelection == [.init(item: 31)])
        #expect(list.listAnchor == ListAnchor(indexPath: .init(item: 20), offset: 5))
        #expect(list.pendingList == nil)
    }

    @Test func keepsAnchorOfPendingListInThePlace() throws {
        let sample = Catalog("items", device: "here", titles: (1...30).map { "Item \($0)" })
        func screen(_ items: Catalog) -> ListScreen { ListScreen("List", of: items) }
        let first = screen(sample)
        first.list.scroll(to: 44 * 12 + 3)
        let archive = try #require(try TestApp(first).save())
        let place = try #require(archive.place)
        #expect(archive.references[place.steps[0].references[0]].element.identifier == sample.items[12].id)

        let late = Catalog("items", device: "here", titles: [])
        let waiting = screen(late)
        let app = TestApp(waiting)
        try app.restore(archive)
        let again = try #require(try app.save())
        let references = try #require(again.place).steps[0].references.map { again.references[$0] }
        #expect(references.map(\.element.identifier) == [sample.items[12].id])
        #expect(references.map(\.role) == [.firstVisible])
        #expect(
            try TestApp(screen(Catalog("items", device: "here", titles: []))).save()?.place?.steps[0].references == []
        )
    }
}

/// A data source that reloads its list in each call.
@MainActor
private final class Reloading: ListDataSource, DataSourceModelAssociation {
    let dataSourceName = "elements"
    private let elements: [String]
    private(set) var calls = 0
    private(set) var list: TableView?

    init(_ elements: [String]) { self.elements = elements }

    func app() -> TestApp {
        let (screen, list) = (Screen("Root"), TableView())
        list.restorationIdentifier = "List"
        list.dataSource = self
        screen.views = [list]
        self.list = list
        return TestApp(screen)
    }

    var reloads: () -> Void = {}

    private func reload() {
        calls += 1
        list?.reloadData()
        reloads()
    }

    func elementCounts() -> [Int] { [elements.count] }
    func modelIdentifierForElement(at place: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        reload()
        return place.flatMap { elements.indices.contains($0.item) ? elements[$0.item] : nil }
    }
    func indexPathForElement(withModelIdentifier name: String?, in view: (any ElementView)?) -> ElementIndexPath? {
        let place = elements.firstIndex { $0 == name }.map { ElementIndexPath(item: $0) }
        reload()
        return place
    }
}

/// A custom list.
@MainActor
private final class OwnList: ListContaining {
    private let source: Reloading
    init(_ source: Reloading) { self.source = source }
    var listDataSource: (any DataSourceModelAssociation)? { source }
    var listSelection: [ElementIndexPath] = []
    var listAnchor: ListAnchor?
    var pendingList: PendingList?
}
