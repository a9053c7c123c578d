import PlacekeeperArchive
import PlacekeeperSampleApps
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
final class ModelAssociationTests {
    /// The data sources of the lists. The test retains them here, because lists do not retain their data sources.
    var sources: [any ListDataSource] = []

    func list<List: ListView>(_ source: any ListDataSource, _ list: List = TableView()) -> (TestApp, List) {
        list.restorationIdentifier = "List"
        list.dataSource = source
        sources.append(source)
        let screen = Screen("Root")
        screen.views = [list]
        return (TestApp(screen), list)
    }

    /// Saves a list, restores it with other data, and returns it.
    func restored(_ before: Elements, _ after: Elements, _ use: (TableView) -> Void) throws -> TableView {
        let (app, list) = list(before)
        use(list)
        let archive = try app.save()
        let (next, restored) = self.list(after)
        try next.restore(archive)
        return restored
    }

    @Test("seed 39 · the data source is asked for identifiers, and no index path is saved", .tags(.seed))
    func savesIdentifiers() throws {
        let source = Elements("a", "b", "c")
        let (app, list) = list(source)
        list.select(.init(item: 1))
        let archive = try #require(try app.save())
        #expect(source.asked.contains(.init(item: 1)))
        #expect(archive.objects.last?.state["kListSelectedElementsKey"] == .array([.reference(0)]))
        #expect(archive.references[0].element == .init("b"))
        #expect(archive.references[0].role == .selected)
        #expect(archive.references[0].indexPath == nil)
        #expect(archive.references[1].role == .firstVisible)
    }

    @Test(
        "seed 40 · an identifier leads to its item's present place; a removed item is skipped, never row 0",
        .tags(.seed))
    func followsMovedItemsAndSkipsRemovedItems() throws {
        let moved = try restored(Elements("a", "b", "c", "d", "e"), Elements([["x", "e"], ["y"], ["c", "a"]])) {
            $0.select(.init(item: 1), .init(item: 2), .init(item: 4))
        }
        #expect(moved.listSelection == [.init(section: 0, item: 1), .init(section: 2, item: 0)])

        let (app, list) = list(Elements("a", "b", "c"))
        list.scroll(to: 44)
        list.select(.init(item: 1))
        let archive = try app.save()
        let (next, shown) = self.list(Elements([(0..<9).map { "x\($0)" }]))
        // The app itself scrolls and selects at launch.
        shown.scroll(to: 44 * 3 + 7)
        shown.select(.init(item: 6))
        try next.restore(archive)
        #expect(shown.listSelection == [])
        #expect(shown.contentOffset == 44 * 3 + 7)
    }

    /// A data source that returns its first row for the identifier nil, and the first row's identifier for the index
    /// path nil.
    private final class Careless: ListDataSource, DataSourceModelAssociation {
        let dataSourceName = "elements"
        private(set) var asksAboutNil = 0
        func elementCounts() -> [Int] { [9] }
        func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? {
            if indexPath == nil { asksAboutNil += 1 }
            return "row \(indexPath?.item ?? 0)"
        }
        func indexPathForElement(
            withModelIdentifier identifier: String?, in view: (any ElementView)?
        ) -> ElementIndexPath? {
            if identifier == nil { asksAboutNil += 1 }
            return ElementIndexPath(item: identifier.flatMap { Int($0.dropFirst(4)) } ?? 0)
        }
    }

    @Test("seed 41 · a data source is never asked about nil, and a careless one cannot select row 0", .tags(.seed))
    func neverAsksDataSourceAboutNil() throws {
        let (app, list) = list(Careless())
        list.scroll(to: 44 * 2)
        list.select(.init(item: 5))
        var archive = try #require(try app.save())
        for index in archive.references.indices {
            // The service serves a reference without an identifier if the element has not arrived on this device yet.
            let reference = archive.references[index]
            archive.references[index] = ModelReference(
                dataSource: reference.dataSource, element: .init(nil, aliases: ["server:\(index)"]),
                role: reference.role)
        }
        let source = Careless()
        let (next, shown) = self.list(source)
        shown.scroll(to: 44 * 3)
        try next.restore(archive)
        #expect(shown.listSelection == [])
        #expect(shown.contentOffset == 44 * 3)
        shown.reloadData()
        let savedAgain = try #require(try next.save()).references
        #expect(Set(savedAgain.flatMap(\.element.aliases)).isSuperset(of: ["server:0", "server:1"]))
        #expect(source.asksAboutNil == 0)
    }

    @Test("seed 41 · an item without an identifier is not found, and no data source is asked for nil", .tags(.seed))
    func findsNoItemWithoutIdentifier() async throws {
        let source = Careless()
        sources.append(source)
        for role in [ModelReference.Role.selected, .firstVisible] {
            let unnamed = ModelReference(
                dataSource: "elements", element: .init(nil, aliases: ["server:1"]), role: role)
            #expect(unnamed.resolve(in: source) == nil)
            #expect(await unnamed.reveal(in: source) == nil)
            #expect(ShownElement(unnamed, of: source) == nil)
            #expect(ShownElement(unnamed, of: source, mayArrive: true)?.identifier == nil)
        }
        try Scripted.roundTrip {
            $0.encode(elementWithModelIdentifier: nil, of: source, forKey: "none")
            $0.encode(elementWithModelIdentifier: "row 5", of: source, forKey: "fifth")
        } restore: {
            #expect($0.decodeElement(of: source, forKey: "none") == nil)
            #expect($0.decodeShownElement(of: source, mayArrive: true, forKey: "none") == nil)
            #expect($0.decodeElement(of: source, forKey: "fifth")?.indexPath == ElementIndexPath(item: 5))
        }
        #expect(source.asksAboutNil == 0)
    }

    @Test func sampleAppsReturnNilForNil() {
        let source = Catalog("photos", titles: ["Beach", "Forest"])
        #expect(source.modelIdentifierForElement(at: ElementIndexPath(item: 1), in: nil) != nil)
        #expect(source.modelIdentifierForElement(at: nil, in: nil) == nil)
        #expect(source.indexPathForElement(withModelIdentifier: nil, in: nil) == nil)
    }

    @Test("seed 42 · the first visible item comes back at the same visual position", .tags(.seed))
    func restoresPositionOfFirstVisibleItem() throws {
        let list = try restored(
            Elements([(0..<100).map { "e\($0)" }]), Elements([["new"], (0..<100).map { "e\($0)" }])
        ) { $0.scroll(to: 44 * 40 + 13) }
        #expect(list.contentOffset == 44 * 41 + 13)
        #expect(list.listAnchor == ListAnchor(indexPath: .init(section: 1, item: 40), offset: 13))
    }

    @Test(arguments: [-480, -1e8, 44, 1000, 1e300, .infinity, -.infinity, .nan])
    func ignoresInvalidOffsetOfFirstVisibleRow(_ offset: Double) throws {
        for source in [Elements([(0..<20).map { "e\($0)" }]) as any ListDataSource, Switches()] {
            let (app, before) = list(source)
            before.scroll(to: 44 * 2)
            var archive = try #require(try app.save())
            let index = try #require(archive.objects.firstIndex { $0.path.hasSuffix("List") })
            archive.objects[index].state["kListFirstVisibleOffsetKey"] = .real(offset)
            let (next, restored) = list(source)
            try next.restore(archive)
            #expect(restored.listAnchor == ListAnchor(indexPath: .init(item: 2)))
        }
    }

    @Test("seed 42 · a row that begins below the top, as below a header, comes back there", .tags(.seed))
    func restoresRowThatBeginsBelowTheTop() throws {
        let (app, before) = list(Elements([(0..<20).map { "e\($0)" }]))
        before.scroll(to: 44 * 2)
        var archive = try #require(try app.save())
        let index = try #require(archive.objects.firstIndex { $0.path.hasSuffix("List") })
        archive.objects[index].state["kListFirstVisibleOffsetKey"] = .real(-30)
        let (next, restored) = list(Elements([(0..<20).map { "e\($0)" }]))
        try next.restore(archive)
        #expect(restored.contentOffset == 44 * 2 - 30)
    }

    @Test("seed 42 · if all visible items are gone, the nearest remaining neighbor is at the top", .tags(.seed))
    func scrollsToNearestRemainingNeighbor() throws {
        let all = (0..<20).map { "e\($0)" }
        for (gone, row) in [(["e10"], 10), (["e10", "e11"], 9), (["e9", "e10", "e11"], 9)] {
            let left = all.filter { !gone.contains($0) }
            let list = try restored(Elements([all]), Elements([left])) {
                $0.visibleHeight = 20
                $0.scroll(to: 44 * 10 + 13)
            }
            #expect(list.listAnchor == ListAnchor(indexPath: .init(item: row)))
        }
        let none = try restored(Elements([all]), Elements("x", "y")) { $0.scroll(to: 44 * 10) }
        #expect(none.contentOffset == 0)
        #expect(none.pendingList != nil)
    }

    @Test("seed 43 · a list without identifiers saves index paths", .tags(.seed))
    func savesIndexPathsOfStaticLists() throws {
        let source = Switches()
        let (app, list) = list(source)
        list.scroll(to: 44 * 4 + 1)
        list.select(.init(section: 0, item: 1), .init(section: 1, item: 0), .init(section: 1, item: 2))
        let archive = try #require(try app.save())
        #expect(archive.references == [])
        let (next, restored) = self.list(source)
        try next.restore(archive)
        #expect(
            restored.listSelection == [
                .init(section: 0, item: 1), .init(section: 1, item: 0), .init(section: 1, item: 2),
            ])
        #expect(restored.contentOffset == 44 * 4 + 1)
    }

    @Test func ignoresSavedIndexPathsOutsideOfStaticList() throws {
        let (app, list) = list(Switches())
        list.select(.init(section: 0, item: 1), .init(section: 1, item: 2))
        list.scroll(to: 44 * 5)
        let archive = try app.save()
        let (next, restored) = self.list(Switches([2, 2]))
        try next.restore(archive)
        #expect(restored.listSelection == [.init(section: 0, item: 1)])
        #expect(restored.contentOffset == 0)
    }

    @Test("seed 44 · a collection view restores all selected cells and the scroll position", .tags(.seed))
    func restoresCollectionViews() throws {
        let (app, list) = list(Elements([["a", "b", "c"], ["d", "e", "f", "g"]]), CollectionView())
        list.scroll(to: 44 * 3 + 17)
        list.select(.init(section: 1, item: 3), .init(item: 1), .init(section: 1, item: 0))
        let archive = try app.save()
        let after = Elements([["g", "new"], ["f", "e", "d"], ["c", "b", "a"]])
        let (next, restored) = self.list(after, CollectionView())
        // The app itself selects at launch.
        restored.select(.init(section: 1, item: 1))
        try next.restore(archive)
        #expect(
            restored.listSelection == [
                .init(section: 0, item: 0), .init(section: 1, item: 2), .init(section: 2, item: 1),
            ])
        // Cell d was the fourth cell, and is now the fifth.
        #expect(restored.contentOffset == 44 * 4 + 17)
    }

    @Test("seed 45 · an item with another object identifier in this store is found by its aliases", .tags(.seed))
    func findsItemsByAlias() throws {
        let (before, after) = (
            Elements("x-coredata://A1/Photo/p12", "x-coredata://A1/Photo/p13"),
            Elements("x-coredata://B2/Photo/p12", "x-coredata://B2/Photo/p99")
        )
        before.aliases = ["x-coredata://A1/Photo/p13": ["sha256:13"]]
        after.aliases = ["x-coredata://B2/Photo/p12": ["sha256:13"]]
        let list = try restored(before, after) { $0.select(.init(item: 1)) }
        #expect(list.listSelection == [.init(item: 0)])
    }

    @Test("seed 45 · an identifier that another item has in this store does not lead to that item", .tags(.seed))
    func ignoresReusedIdentifiers() throws {
        func uri(_ store: String, _ key: Int) -> String { "x-coredata://\(store)/Photo/p\(key)" }
        let before = Elements([(1...30).map { uri("A1", $0) }])
        for key in 1...30 { before.aliases[uri("A1", key)] = ["sha256:\(key)"] }
        // The other store has the same photos under other keys and in another order, without one of them.
        let after = Elements([(1...30).filter { $0 != 9 }.reversed().map { uri("A1", 40 - $0) }])
        for key in 1...30 where key != 9 { after.aliases[uri("A1", 40 - key)] = ["sha256:\(key)"] }
        let (app, list) = self.list(before)
        list.select(.init(item: 6), .init(item: 8), .init(item: 19))
        list.scroll(to: 44 * 11 + 5)
        let archive = try app.save()
        let (next, restored) = self.list(after)
        try next.restore(archive)
        let names = restored.listSelection.map { after.sections[0][$0.item] }
        #expect(names == [uri("A1", 20), uri("A1", 33)])
        let top = try #require(restored.listAnchor)
        #expect(after.sections[0][top.indexPath.item] == uri("A1", 28))
        #expect(top.offset == 5)
        // The next archive has this store's own identifiers.
        let saved = try #require(try next.save())
        #expect(
            Set(saved.references.filter { $0.role == .selected }.compactMap(\.element.identifier)).isSuperset(of: names)
        )
    }

    @Test(
        "seed 54 · after any change of the data, the first remaining visible item keeps its visual position",
        .tags(.seed))
    func keepsVisualPositionAfterAnyChange() throws {
        var random = SplitMix(seed: 541)
        for _ in 0..<300 {
            let all = (0..<Int.random(in: 15...40, using: &random)).map { "e\($0)" }
            let scrolled = Double(Int.random(in: 1..<(44 * (all.count - 12)), using: &random))
            var left = all.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            for new in 0..<Int.random(in: 0...20, using: &random) {
                left.insert("new\(new)", at: Int.random(in: 0...left.count, using: &random))
            }
            let before = Elements([all])
            let list = try restored(before, Elements([left])) { $0.scroll(to: scrolled) }
            // Of the visible elements that remain, finds the element that was nearest to the top.
            let seen = all.enumerated().map { (name: $1, y: Double($0) * 44 - scrolled) }.filter {
                $0.y > -44 && $0.y < 480
            }
            guard let first = seen.first(where: { left.contains($0.name) }) else { continue }
            let top = Double(try #require(left.firstIndex(of: first.name))) * 44
            // A list cannot scroll above its first row.
            #expect(list.contentOffset == max(0, top - first.y))
        }
    }
}
