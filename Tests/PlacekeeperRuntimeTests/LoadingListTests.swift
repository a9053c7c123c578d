import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// A data source that loads its elements when it is asked for a missing element, and then reloads its list.
@MainActor
private final class LoadingSource: ListDataSource, DataSourceModelAssociation {
    let dataSourceName = "elements"
    private(set) var loaded: [String]
    private let arriving: [String]
    private var hasLoaded = false
    var reload: () -> Void = {}

    init(_ loaded: [String], then arriving: [String]) {
        self.loaded = loaded
        self.arriving = arriving
    }

    func elementCounts() -> [Int] { [loaded.count] }
    func modelIdentifierForElement(at place: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        place.flatMap { loaded.indices.contains($0.item) ? loaded[$0.item] : nil }
    }
    func indexPathForElement(withModelIdentifier name: String?, in view: (any ElementView)?) -> ElementIndexPath? {
        let place = loaded.firstIndex { $0 == name }.map { ElementIndexPath(item: $0) }
        if place == nil, !hasLoaded {
            hasLoaded = true
            loaded = arriving
            reload()
        }
        return place
    }
}

/// A custom list. It accepts every selection and every anchor.
@MainActor
private final class PlainList: ListContaining {
    var listDataSource: (any DataSourceModelAssociation)?
    var listSelection: [ElementIndexPath] = []
    var listAnchor: ListAnchor?
    var pendingList: PendingList?
    let restorationIdentifier: String? = "List"
    func encodeRestorableState(with coder: StateEncoder) { encodeList(with: coder) }
    func decodeRestorableState(with coder: StateDecoder) { decodeList(with: coder) }
}

@MainActor
struct LoadingListTests {
    private func pending(_ names: String...) -> PendingList {
        PendingList(
            selection: names.map { ModelReference(dataSource: "elements", element: .init($0), role: .selected) },
            anchor: ModelReference(dataSource: "elements", element: .init(names[0]), role: .firstVisible), offset: 5)
    }

    @Test(
        "seed 70 · a lookup that loads rows while the list reloads keeps the selection", .tags(.seed),
        arguments: [["a", "c"], ["c"]])
    func keepsTheSelectionWhileRowsAreLoaded(names: [String]) throws {
        let list = TableView()
        let before = Elements("a", "b", "c")
        list.dataSource = before
        list.listSelection = try names.map {
            ElementIndexPath(item: try #require(before.sections[0].firstIndex(of: $0)))
        }
        let source = LoadingSource(["x", "a"], then: ["new", "x", "a", "c"])
        list.dataSource = source
        source.reload = { list.reloadData() }
        list.reloadData()
        #expect(list.listSelection.map { source.loaded[$0.item] } == names)
    }

    @Test("seed 70 · a pending item that a reload's own lookup loads is selected", .tags(.seed))
    func selectsAPendingItemThatTheReloadLoads() {
        let list = TableView()
        let source = LoadingSource(["x"], then: ["a", "b", "c"])
        list.dataSource = source
        source.reload = { list.reloadData() }
        list.pendingList = pending("b")
        list.reloadData()
        #expect(list.listSelection == [ElementIndexPath(item: 1)])
        #expect(list.pendingList == nil)
    }

    @Test("seed 70 · an item that the lookup itself loads is selected", .tags(.seed))
    func selectsItemThatTheLookUpLoads() {
        let source = LoadingSource([], then: ["a", "b", "c"])
        let list = TableView()
        list.dataSource = source
        source.reload = { list.reloadData() }
        list.show(pending("b"))
        #expect(list.listSelection == [.init(item: 1)])
        #expect(list.listAnchor == ListAnchor(indexPath: .init(item: 1), offset: 5))
        #expect(list.pendingList == nil)
    }

    @Test("seed 70 · an item that a lookup loads when the list is reloaded is selected", .tags(.seed))
    func selectsItemThatTheLookUpLoadsWhileReloading() {
        let (list, empty) = (TableView(), Elements([[]]))
        list.dataSource = empty
        list.show(pending("b"))
        #expect(list.pendingList != nil)
        let source = LoadingSource(["x"], then: ["a", "b", "c"])
        list.dataSource = source
        source.reload = { list.reloadData() }
        list.reloadData()
        #expect(list.listSelection == [.init(item: 1)])
        #expect(list.pendingList == nil)
    }

    @Test("seed 70 · a top row that the lookup loads stays at the top when the list is reloaded", .tags(.seed))
    func keepsTopRowThatTheLookUpLoads() {
        let (list, before) = (TableView(), Elements([(0..<40).map { "e\($0)" }]))
        list.dataSource = before
        list.scroll(to: 44 * 20 + 13)
        let all = ["new"] + (0..<40).map { "e\($0)" }
        let source = LoadingSource(Array(all.prefix(5)), then: all)
        list.dataSource = source
        source.reload = { list.reloadData() }
        list.reloadData()
        #expect(list.contentOffset == 44 * 21 + 13)
    }

    @Test("seed 70 · items that move because a lookup loads other items are selected", .tags(.seed))
    func selectsItemsThatMoveDuringTheLookUp() {
        let source = LoadingSource(["a"], then: ["new", "a", "b"])
        let list = TableView()
        list.dataSource = source
        source.reload = { list.reloadData() }
        list.show(pending("a", "b"))
        #expect(list.listSelection == [.init(item: 1), .init(item: 2)])
        #expect(list.listAnchor == ListAnchor(indexPath: .init(item: 1), offset: 5))
    }

    @Test("seed 70 · a custom list selects an item that the lookup itself loads", .tags(.seed))
    func selectsItemThatTheLookUpLoadsInACustomList() {
        let source = LoadingSource([], then: ["a", "b", "c"])
        let list = PlainList()
        list.listDataSource = source
        source.reload = { list.applyPendingList() }
        list.show(pending("b"))
        #expect(list.listSelection == [.init(item: 1)])
        #expect(list.pendingList == nil)
    }

    @Test func ignoresNegativeIndexPaths() throws {
        func place(_ section: Int64, _ item: Int64) -> StateValue { .array([.integer(section), .integer(item)]) }
        let screen = Scripted("Root")
        let list = PlainList()
        screen.views = [list]
        list.listSelection = [.init(item: 1)]
        var archive = try #require(try TestApp(screen).save())
        let index = try #require(archive.objects.firstIndex { $0.path == "Root/List" })
        archive.objects[index].state["kListSelectedElementsKey"] = .array([
            place(0, -1), place(-1, 0), place(1, 2), place(.min, .min),
        ])
        archive.objects[index].state["kListFirstVisibleElementKey"] = place(0, -1)
        list.listSelection = []
        try TestApp(screen).restore(archive)
        #expect(list.listSelection == [.init(section: 1, item: 2)])
        #expect(list.listAnchor == nil)
    }
}
