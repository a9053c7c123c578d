import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests a list whose items arrive late on another device, or not at all.
@MainActor
struct PendingListTests {
    private let elements = Elements([[]])
    private let list = TableView()

    init() {
        list.restorationIdentifier = "List"
        list.dataSource = elements
    }

    /// Returns a reference to an item that the service did not find on this device. The reference has one neighbor:
    /// the next item, `b9`.
    private func pending(
        _ alias: String, _ role: ModelReference.Role, step: ModelReference.Step = .pending, standIn: String? = nil
    ) -> ModelReference {
        ModelReference(
            dataSource: "elements", element: .init(standIn, aliases: [alias]), role: role,
            after: [.init("b9", aliases: ["nine"])], resolution: .init(step: step, confidence: 0))
    }

    private func arrive(_ names: KeyValuePairs<String, String>) {
        elements.sections = [names.map(\.key)]
        elements.aliases = Dictionary(uniqueKeysWithValues: names.map { ($0.key, [$0.value]) })
        list.reloadData()
    }

    /// Saves the list. Returns the aliases of the selected items, the aliases of the item at the top, and the offset of
    /// the item at the top.
    private func saved() throws -> (selection: [[String]], top: [String]?, offset: Double) {
        let screen = Screen("Root")
        screen.views = [list]
        let archive = try #require(try TestApp(screen).save())
        let state = try #require(archive.objects.first { $0.path.hasSuffix("List") }).state
        func aliases(_ value: StateValue?) -> [[String]] {
            switch value {
            case .array(let values)?: values.flatMap { aliases($0) }
            case .reference(let index)?: [archive.references[index].element.aliases]
            default: []
            }
        }
        var offset = 0.0
        if case .real(let value)? = state["kListFirstVisibleOffsetKey"] { offset = value }
        return (
            aliases(state["kListSelectedElementsKey"]), aliases(state["kListFirstVisibleElementKey"]).first, offset
        )
    }

    @Test func selectsAndScrollsWhenItsDataArrives() {
        list.show(.init(selection: [pending("two", .selected)], anchor: pending("three", .firstVisible), offset: 7))
        #expect(list.listSelection.isEmpty)
        #expect(list.contentOffset == 0)
        arrive(["b1": "one", "b2": "two", "b3": "three"])
        #expect(list.listSelection == [.init(item: 1)])
        #expect(list.listAnchor == .init(indexPath: .init(item: 2), offset: 7))
        #expect(list.pendingList == nil)
    }

    @Test func scrollsToNeighborUntilTheItemArrives() {
        list.show(.init(selection: [pending("two", .selected)], anchor: pending("two", .firstVisible), offset: 7))
        arrive(["b1": "one", "b9": "nine"])
        #expect(list.listAnchor == .init(indexPath: .init(item: 1)))
        #expect(list.listSelection.isEmpty)
        arrive(["b1": "one", "b4": "four", "b2": "two", "b9": "nine"])
        #expect(list.listAnchor == .init(indexPath: .init(item: 2), offset: 7))
        #expect(list.listSelection == [.init(item: 2)])
    }

    /// Returns a reference to an item at the top that has not arrived. The service chose `b5` as its neighbor.
    private func awaited(_ alias: String?, after: [ModelReference.Element] = []) -> ModelReference {
        ModelReference(
            dataSource: "elements", element: .init(nil, aliases: [alias].compactMap { $0 }), role: .firstVisible,
            after: after, resolution: .init(step: .pending, confidence: 0, neighbor: "b5"))
    }

    @Test func scrollsToProvisionalNeighborUntilTheItemArrives() {
        arrive(["b1": "one", "b5": "five"])
        list.show(.init(anchor: awaited("two"), offset: 7))
        #expect(list.listAnchor == .init(indexPath: .init(item: 1)))
        arrive(["b1": "one", "b4": "four", "b5": "five"])
        #expect(list.listAnchor == .init(indexPath: .init(item: 2)))
        arrive(["b1": "one", "b4": "four", "b5": "five", "b2": "two"])
        #expect(list.listAnchor == .init(indexPath: .init(item: 3), offset: 7))
        #expect(list.pendingList == nil)
    }

    @Test func staysAtThePersonsRowAfterTheyLeftTheProvisionalNeighbor() {
        arrive(["b1": "one", "b5": "five", "b6": "six"])
        list.show(.init(anchor: awaited("two"), offset: 7))
        #expect(list.listAnchor == .init(indexPath: .init(item: 1)))
        list.scroll(to: 2 * list.rowHeight)
        arrive(["b1": "one", "b5": "five", "b6": "six", "b2": "two"])
        #expect(list.listAnchor == .init(indexPath: .init(item: 2)))
    }

    /// The app ends before the item arrives. The next launch has only the state that the app saved.
    @Test func returnsToProvisionalNeighborAtTheNextLaunch() throws {
        arrive(["b1": "one", "b5": "five"])
        let far = (1...8).map { ModelReference.Element(nil, aliases: ["far \($0)"]) }
        for after in [[], far] {
            list.show(.init(anchor: awaited("two", after: after), offset: 7))
            let screen = Screen("Root")
            screen.views = [list]
            let app = TestApp(screen)
            let archive = try #require(try app.save())
            list.scroll(to: 0)
            try app.restore(archive)
            #expect(list.listAnchor == .init(indexPath: .init(item: 1)))
            #expect(list.firstVisibleReference?.element == .init(nil, aliases: ["two"]))
        }
        arrive(["b1": "one", "b5": "five", "b2": "two"])
        #expect(list.listAnchor == .init(indexPath: .init(item: 2), offset: 7))
    }

    @Test func savesTheShownRowIfThePendingItemCannotBeFound() throws {
        arrive(["b1": "one", "b5": "five"])
        list.show(.init(anchor: awaited(nil)))
        #expect(try saved().top == ["five"])
    }

    @Test func selectsArrivedItemInPlaceOfItsStandIn() {
        list.show(.init(selection: [pending("two", .selected, step: .neighbor, standIn: "b9")]))
        arrive(["b1": "one", "b9": "nine"])
        #expect(list.listSelection == [.init(item: 1)])
        arrive(["b2": "two", "b9": "nine"])
        #expect(list.listSelection == [.init(item: 0)])
        #expect(list.pendingList == nil)
    }

    @Test func selectsSharedStandInOnce() {
        list.show(
            .init(
                selection: ["two", "three"].map { pending($0, .selected, step: .neighbor, standIn: "b9") }
                    + [pending("one", .selected)]))
        arrive(["b1": "one", "b9": "nine"])
        #expect(list.listSelection == [.init(item: 0), .init(item: 1)])
    }

    @Test func doesNotScrollAfterThePersonScrolled() {
        arrive(["b1": "one", "b5": "five"])
        list.show(.init(selection: [pending("two", .selected)], anchor: pending("two", .firstVisible)))
        list.scroll(to: list.rowHeight)
        arrive(["b1": "one", "b5": "five", "b2": "two"])
        #expect(list.listAnchor == .init(indexPath: .init(item: 1)))
        #expect(list.listSelection.isEmpty)
    }

    @Test func doesNotScrollAfterThePersonScrolledDuringLoading() async {
        let pages = SlowPages(list)
        let list = list
        list.dataSource = pages
        list.show(.init(anchor: pending("one", .firstVisible)))
        pages.meanwhile = { list.scroll(to: 44) }
        await list.revealPendingList()
        #expect(list.contentOffset == 44)
    }

    @Test func loadsNoMoreItemsAfterThePersonScrolled() async {
        let pages = SlowPages(list)
        let list = list
        list.dataSource = pages
        pages.arriving = []
        list.show(.init(selection: [pending("one", .selected), pending("two", .selected)]))
        pages.meanwhile = { list.scroll(to: 44) }
        await list.revealPendingList()
        #expect(pages.asked == ["b-one"])
    }

    @Test func loadsItemWithoutIdentifierByItsAlias() async {
        let pages = SlowPages(list)
        list.dataSource = pages
        list.show(.init(selection: [pending("two", .selected)], anchor: pending("two", .firstVisible), offset: 3))
        #expect(list.listSelection.isEmpty)
        await list.revealPendingList()
        #expect(list.listSelection == [.init(item: 1)])
        #expect(list.listAnchor == .init(indexPath: .init(item: 1), offset: 3))
    }

    /// Data arrives in parts, with new rows before the found items.
    @Test func followsFoundItemsWhenMoreDataArrives() throws {
        list.show(.init(selection: [pending("two", .selected)], anchor: pending("three", .firstVisible), offset: 7))
        arrive(["b1": "one", "b2": "two", "b3": "three"])
        #expect(list.pendingList == nil)
        arrive(["b5": "five", "b6": "six", "b1": "one", "b3": "three", "b2": "two"])
        #expect(list.listSelection == [.init(item: 4)])
        #expect(list.listAnchor == .init(indexPath: .init(item: 3), offset: 7))
        // When the found items are gone, the list selects no other items instead, and does not scroll.
        arrive(["b5": "five", "b6": "six", "b1": "one", "b7": "seven", "b8": "eight"])
        #expect(list.listSelection.isEmpty)
        #expect(list.listAnchor == .init(indexPath: .init(item: 3), offset: 7))
    }

    @Test func selectsNothingInPlaceOfARemovedItemWhileWaiting() throws {
        list.show(.init(selection: [pending("one", .selected), pending("two", .selected)]))
        arrive(["b1": "one", "b9": "nine"])
        #expect(list.listSelection == [.init(item: 0)])
        arrive(["b9": "nine"])
        #expect(list.listSelection.isEmpty)
        #expect(try saved().selection == [["one"], ["two"]])
    }

    @Test(arguments: [ModelReference.Step.pending, .unresolved])
    func neitherScrollsNorSelectsIfNothingIsFound(_ step: ModelReference.Step) throws {
        arrive(["b1": "one", "b2": "two", "b3": "three", "b4": "four"])
        list.scroll(to: 2 * list.rowHeight)
        list.select(.init(item: 0))
        list.show(
            .init(
                selection: [pending("gone", .selected, step: step)], anchor: pending("gone", .firstVisible, step: step))
        )
        #expect(list.listSelection.isEmpty)
        #expect(list.contentOffset == 2 * list.rowHeight)
        #expect(try saved().selection == [["gone"]])
    }

    @Test func looksUpRepeatedReferenceOnce() throws {
        arrive(["b1": "one", "b2": "two"])
        list.select(.init(item: 1))
        let screen = Screen("Root")
        screen.views = [list]
        var archive = try #require(try TestApp(screen).save())
        let index = try #require(archive.objects.firstIndex { $0.path.hasSuffix("List") })
        archive.objects[index].state["kListSelectedElementsKey"] = .array(
            [.reference(99)] + Array(repeating: .reference(0), count: 10_000))
        elements.sections = [[]]
        try TestApp(screen).restore(archive)
        #expect(list.pendingList?.selection.count == 1)
        arrive(["b1": "one", "b2": "two"])
        #expect(list.listSelection == [.init(item: 1)])
    }

    @Test func staysAtTheTopUntilThePersonScrolls() {
        arrive(["b1": "one"])
        arrive(["b5": "five", "b1": "one"])
        #expect(list.contentOffset == 0)
    }

    @Test func savesPendingItemsAgain() throws {
        arrive(["b1": "one", "b9": "nine"])
        list.show(
            .init(
                selection: [pending("one", .selected), pending("two", .selected)],
                anchor: pending("two", .firstVisible), offset: 7))
        #expect(list.listSelection == [.init(item: 0)])
        let saved = try saved()
        #expect(saved.selection == [["one"], ["two"]])
        #expect(saved.top == ["two"])
        #expect(saved.offset == 7)
    }

    @Test func savesTheItemAndNotItsStandIn() throws {
        arrive(["b1": "one", "b9": "nine"])
        list.show(.init(selection: [pending("two", .selected, step: .neighbor, standIn: "b9")]))
        #expect(list.listSelection == [.init(item: 1)])
        #expect(try saved().selection == [["two"]])
        list.select(.init(item: 1))
        #expect(try saved().selection == [["nine"]])
    }

    @Test func dropsReferenceWithoutIdentifierAndAliases() throws {
        arrive(["b1": "one"])
        let lost = ModelReference(
            dataSource: "elements", element: .init(nil), role: .selected,
            resolution: .init(step: .unresolved, confidence: 0))
        list.show(.init(selection: [lost]))
        #expect(try saved().selection == [])
        #expect(try saved().top == ["one"])
    }
}

/// A data source that knows the identifiers of its elements before it loads them. Each request for one element loads
/// all elements.
@MainActor
final class SlowPages: ListDataSource, DataSourceModelAssociation {
    let dataSourceName = "elements"
    /// An action of the person that happens while the elements are being loaded.
    var meanwhile: () -> Void = {}
    var arriving = ["b-one", "b-two"]
    private(set) var asked: [String] = []
    private var loaded: [String] = []
    private let list: ListView

    init(_ list: ListView) { self.list = list }

    func elementCounts() -> [Int] { [loaded.count] }
    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        indexPath.flatMap { loaded.indices.contains($0.item) ? loaded[$0.item] : nil }
    }
    func indexPathForElement(withModelIdentifier identifier: String?, in view: (any ElementView)?)
        -> ElementIndexPath?
    {
        loaded.firstIndex { $0 == identifier }.map { .init(item: $0) }
    }
    func modelIdentifiers(forElementsWithAlias alias: String) -> [String]? { ["b-\(alias)"] }
    func reveal(elementWithModelIdentifier identifier: String) async -> Bool {
        await Task.yield()
        asked.append(identifier)
        loaded = arriving
        meanwhile()
        list.reloadData()
        return true
    }
}
