import KeyedArchive
import StateRestoration
import Testing

/// A list of elements that has identifiers for them.
@MainActor
final class Elements: ListDataSource, DataSourceModelAssociation {
    var sections: [[String]]
    var aliases: [String: [String]] = [:]
    var selectsNeighbours = false
    private(set) var asked: [ElementIndexPath] = []
    let dataSourceName: String

    init(_ sections: [[String]], name: String = "elements") {
        self.sections = sections
        dataSourceName = name
    }

    convenience init(_ elements: String...) { self.init([elements]) }

    func elementCounts() -> [Int] { sections.map(\.count) }

    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any RestorableView)?) -> String? {
        guard let indexPath, sections.indices.contains(indexPath.section),
            sections[indexPath.section].indices.contains(indexPath.item)
        else { return nil }
        asked.append(indexPath)
        return sections[indexPath.section][indexPath.item]
    }

    func indexPathForElement(withModelIdentifier identifier: String?, in view: (any RestorableView)?)
        -> ElementIndexPath?
    {
        guard let identifier else { return nil }
        for (section, elements) in sections.enumerated() {
            if let item = elements.firstIndex(of: identifier) { return .init(section: section, item: item) }
        }
        return nil
    }

    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] { aliases[identifier] ?? [] }

    func modelIdentifierForElement(withAlias alias: String) -> String? {
        aliases.first { $0.value.contains(alias) }?.key
    }
}

/// A list whose length never changes and that has no identifiers.
@MainActor
final class Switches: ListDataSource {
    private let counts: [Int]
    init(_ counts: [Int] = [3, 4]) { self.counts = counts }
    func elementCounts() -> [Int] { counts }
}

@MainActor
final class ModelAssociationTests {
    /// Lists do not keep their data sources alive.
    private var sources: [any ListDataSource] = []

    private func list<List: ListView>(_ source: any ListDataSource, _ list: List = TableView()) -> (TestApp, List) {
        list.restorationIdentifier = "List"
        list.dataSource = source
        sources.append(source)
        let screen = Screen("Root")
        screen.views = [list]
        return (TestApp(screen), list)
    }

    /// What a list shows after its data changed.
    private func restored(_ before: Elements, _ after: Elements, _ use: (TableView) -> Void) throws -> TableView {
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
        "seed 40 · an identifier leads to where its element stands now; what is gone is skipped, never row 0",
        .tags(.seed))
    func followsElements() throws {
        let moved = try restored(Elements("a", "b", "c"), Elements([["x", "c"], ["b", "a"]])) {
            $0.select(.init(item: 1))
        }
        #expect(moved.listSelection == [.init(section: 1, item: 0)])
        let gone = try restored(Elements("a", "b", "c"), Elements("x", "y", "z")) { $0.select(.init(item: 1)) }
        #expect(gone.listSelection == [])
        #expect(gone.contentOffset == 0)
    }

    @Test("seed 41 · a data source that is given nil answers nil", .tags(.seed))
    func answersNilToNil() throws {
        let source = Elements("a")
        #expect(source.modelIdentifierForElement(at: nil, in: nil) == nil)
        #expect(source.indexPathForElement(withModelIdentifier: nil, in: nil) == nil)
        let reference = ModelReference(dataSource: "elements", element: .init(nil), role: .firstVisible)
        #expect(reference.resolve(in: source) == nil)
    }

    @Test("seed 42 · the first visible element comes back at the same visual position", .tags(.seed))
    func anchorsTheList() throws {
        let list = try restored(
            Elements([(0..<100).map { "e\($0)" }]), Elements([["new"] + (0..<100).map { "e\($0)" }])
        ) { $0.scroll(to: 44 * 40 + 13) }
        #expect(list.contentOffset == 44 * 41 + 13)
        #expect(list.listAnchor == ListAnchor(indexPath: .init(item: 41), offset: 13))
    }

    @Test(arguments: [-1, 44, 1000, 1e300, .infinity, -.infinity, .nan])
    func staysAtTheRowWhateverIsHiddenOfIt(_ offset: Double) throws {
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

    @Test("seed 42 · where it is gone, the nearest neighbour that is left is at the top", .tags(.seed))
    func anchorsAtNeighbours() throws {
        let all = (0..<20).map { "e\($0)" }
        for (left, row) in [
            (all.filter { $0 != "e10" }, 10), (all.filter { !["e10", "e11"].contains($0) }, 9),
            (all.filter { !["e9", "e10", "e11"].contains($0) }, 9),
        ] {
            let list = try restored(Elements([all]), Elements([left])) { $0.scroll(to: 44 * 10 + 13) }
            #expect(list.listAnchor == ListAnchor(indexPath: .init(item: row)))
        }
        let none = try restored(Elements([all]), Elements("x", "y")) { $0.scroll(to: 44 * 10) }
        #expect(none.contentOffset == 0)
        #expect(none.pendingList != nil)
    }

    @Test("seed 43 · a list without identifiers saves index paths", .tags(.seed))
    func savesPlacesOfStaticLists() throws {
        let source = Switches()
        let (app, list) = list(source)
        list.scroll(to: 44 * 4 + 1)
        list.select(.init(section: 1, item: 2))
        let archive = try #require(try app.save())
        #expect(archive.references == [])
        let (next, restored) = self.list(source)
        try next.restore(archive)
        #expect(restored.listSelection == [.init(section: 1, item: 2)])
        #expect(restored.contentOffset == 44 * 4 + 1)
    }

    @Test func selectsNothingOutsideOfAStaticList() throws {
        let (app, list) = list(Switches())
        list.select(.init(section: 0, item: 1), .init(section: 1, item: 2))
        list.scroll(to: 44 * 5)
        let archive = try app.save()
        let (next, restored) = self.list(Switches([2, 2]))
        try next.restore(archive)
        #expect(restored.listSelection == [.init(section: 0, item: 1)])
        #expect(restored.contentOffset == 0)
    }

    @Test("seed 44 · a collection view's selected cells all come back, and its scroll position", .tags(.seed))
    func restoresCollections() throws {
        let (app, list) = list(Elements("a", "b", "c", "d", "e"), CollectionView())
        list.scroll(to: 44)
        list.select(.init(item: 4), .init(item: 1), .init(item: 2))
        let archive = try app.save()
        let (next, restored) = self.list(Elements("e", "d", "c", "b", "a"), CollectionView())
        try next.restore(archive)
        #expect(Set(restored.listSelection.map(\.item)) == [3, 2, 0])
        #expect(restored.listAnchor?.indexPath.item == 3)
    }

    @Test("seed 45 · an object identifier of another store is found by what both know of the element", .tags(.seed))
    func followsAliases() throws {
        let (before, after) = (
            Elements("x-coredata://A1/Photo/p12", "x-coredata://A1/Photo/p13"),
            Elements("x-coredata://B2/Photo/p12", "x-coredata://B2/Photo/p99")
        )
        before.aliases = ["x-coredata://A1/Photo/p13": ["sha256:13"]]
        after.aliases = ["x-coredata://B2/Photo/p12": ["sha256:13"]]
        let list = try restored(before, after) { $0.select(.init(item: 1)) }
        #expect(list.listSelection == [.init(item: 0)])
    }

    @Test("seed 54 · whatever became of the data, what comes back is what was chosen, or nothing", .tags(.seed))
    func survivesAnyChange() throws {
        var random = SplitMix(seed: 54)
        for _ in 0..<200 {
            let all = (0..<Int.random(in: 1...40, using: &random)).map { "e\($0)" }
            let before = Elements([all])
            let chosen = Set((0..<3).map { _ in all.randomElement(using: &random)! })
            var left = all.filter { _ in Bool.random(using: &random) } + (0..<3).map { "new\($0)" }
            left.shuffle(using: &random)
            let cut = Int.random(in: 0...left.count, using: &random)
            let after = Elements([Array(left[..<cut]), [], Array(left[cut...])])
            let list = try restored(before, after) { list in
                list.scroll(to: 44 * Double(Int.random(in: 0..<all.count, using: &random)))
                list.listSelection = all.indices.filter { chosen.contains(all[$0]) }.map { .init(item: $0) }
            }
            let selected = Set(list.listSelection.map { after.sections[$0.section][$0.item] })
            #expect(selected == chosen.intersection(left))
        }
    }

    @Test func keepsStringsThatEqualIdentifiers() throws {
        final class Photo: Screen {
            let source = Elements("p12", "p13")
            var open: String?
            override func encodeRestorableState(with coder: StateEncoder) {
                super.encodeRestorableState(with: coder)
                coder.encode(elementWithModelIdentifier: open, of: source, forKey: "open")
            }
            override func decodeRestorableState(with coder: StateDecoder) throws {
                try super.decodeRestorableState(with: coder)
                open = coder.decodeElement(of: source, forKey: "open")?.identifier
            }
        }
        let photo = Photo("Photo", text: "p12")
        photo.open = "p12"
        var archive = try #require(try TestApp(photo).save())
        // As the service does for another device.
        archive.references[0].element.identifier = "p13"
        let restored = Photo("Photo")
        try TestApp(restored).restore(archive)
        #expect(restored.open == "p13")
        #expect(restored.text == "p12")
    }

    @Test func looksAgainWhenDataArrives() throws {
        let (before, after) = (Elements("a", "b", "c"), Elements([[]]))
        let (app, list) = list(before)
        list.scroll(to: 44)
        list.select(.init(item: 2))
        let archive = try app.save()
        let (next, restored) = self.list(after)
        try next.restore(archive)
        #expect(restored.listSelection == [])
        after.sections = [["c", "b", "a"]]
        restored.reloadData()
        #expect(restored.listSelection == [.init(item: 0)])
        #expect(restored.listAnchor?.indexPath == .init(item: 1))
        #expect(restored.pendingList == nil)
    }

    @Test func selectsAPlaceOnceWhereAnElementIsInTheListTwice() {
        let elements = Elements("a", "b", "a")
        let (_, list) = list(elements)
        list.select(.init(item: 0), .init(item: 2))
        elements.sections = [["new", "a", "b", "a"]]
        list.reloadData()
        #expect(list.listSelection == [.init(item: 1)])
    }

    @Test func leavesAPersonsOwnChoice() throws {
        let after = Elements("x")
        let list = try restored(Elements("a", "b"), after) { $0.select(.init(item: 1)) }
        list.select(.init(item: 0))
        after.sections = [["a", "b", "x"]]
        list.reloadData()
        #expect(list.listSelection == [.init(item: 2)])
    }
}

/// Numbers that are the same in each run.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
