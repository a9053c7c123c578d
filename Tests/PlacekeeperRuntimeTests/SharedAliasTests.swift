import PlacekeeperArchive
import PlacekeeperRuntime
import Testing

/// Tests that an archive says which aliases several rows of the saving device share, and what the restoring device makes of
/// it (docs/identity-algorithm.md#the-device-decides-last).
@MainActor
struct SharedAliasTests {
    @Test func savesWhichAliasesSeveralRowsShare() {
        let list = Rows([["t:Intro", "id:1"], ["t:Song"], ["t:Intro", "id:2"], []])
        let reference = ModelReference("r0", of: list, role: .selected)
        #expect(reference.element == .init("r0", aliases: ["id:1"], sharedAliases: ["t:Intro"]))
        #expect(
            reference.after == [
                .init("r1", aliases: ["t:Song"]),
                .init("r2", aliases: ["id:2"], sharedAliases: ["t:Intro"]), .init("r3"),
            ])
    }

    @Test func savesThemWithEachWayToSave() {
        let list = Rows([["t:Intro"], ["t:Intro"]])
        let expected = ModelReference.Element("r1", sharedAliases: ["t:Intro"])
        let indexPath = ElementIndexPath(item: 1)
        #expect(ModelReference(elementAt: indexPath, of: list, role: .selected)?.element == expected)
        #expect(ModelReference("r1", in: list as any ModelAssociation, role: .selected).element == expected)
        #expect(ShownElement("r1", of: list).reference?.element == expected)
    }

    @Test func anElementThatIsListedTwiceSharesNothing() {
        let list = Rows([["t:Song"], ["t:Other"], ["t:Song"]], names: ["a", "b", "a"])
        #expect(ModelReference("a", of: list, role: .selected).element.sharedAliases == nil)
    }

    /// Missing counts say nothing, neither that an alias is shared nor that it isn't.
    @Test func saysNothingAboutAListThatIsNotRead() {
        let long = Rows(Array(repeating: ["t:Intro"], count: 10_001))
        #expect(ModelReference("r7", of: long, role: .selected).element == .init("r7", aliases: ["t:Intro"]))
        #expect(long.readCount == 0)
        let indexed = Rows([["t:Intro"], ["t:Intro"]])
        indexed.looksUp = true
        #expect(ModelReference("r1", of: indexed, role: .selected).element == .init("r1", aliases: ["t:Intro"]))
    }

    /// The list does not say how many rows it has, or does not have the element yet.
    @Test func saysNothingAboutAnElementThatIsNotInTheListThatIsRead() {
        let uncounted = Rows([["t:Intro"], ["t:Intro"]])
        uncounted.isCounted = false
        #expect(ModelReference("r1", of: uncounted, role: .selected).element == .init("r1", aliases: ["t:Intro"]))
        let paged = Rows([["t:Song"]])
        paged.later = ["later": ["t:Intro"]]
        #expect(ModelReference("later", of: paged, role: .selected).element == .init("later", aliases: ["t:Intro"]))
    }

    @Test func readsTheListOnceForAllReferencesOfAnArchive() throws {
        let list = Rows((0..<100).map { ["t:\($0 / 2)"] })
        _ = try Scripted.roundTrip(TestApp()) { coder in
            for row in 0..<20 { coder.encode(elementWithModelIdentifier: "r\(row)", of: list, forKey: "\(row)") }
        } restore: { _ in
        }
        #expect(list.readCount == 1)
    }

    @Test func readsTheListOnceForManyReferences() {
        let list = Rows((0..<100).map { ["t:\($0 / 2)"] })
        let index = ListIndex(list, in: nil)
        for row in 0..<100 {
            let reference = ModelReference(elementAt: ElementIndexPath(item: row), of: list, by: index, role: .selected)
            #expect(reference?.element == .init("r\(row)", sharedAliases: ["t:\(row / 2)"]))
        }
        #expect(list.readCount == 1)
    }

    // MARK: - On the same device

    @Test func thisDeviceTakesNoOtherElementThatHasTheIdentifierNow() {
        let saved = ModelReference(
            dataSource: "rows", element: .init("r0", sharedAliases: ["t:Intro"]), role: .selected)
        #expect(saved.find(in: Rows([["t:Other"], ["t:Intro"], ["t:Intro"]])) == nil)
        #expect(saved.find(in: Rows([["t:Intro"], ["t:Intro"]]))?.identifier == "r0")
    }

    @Test func thisDeviceFindsAnElementThatOnlyKeptASharedAlias() {
        let saved = ModelReference(
            dataSource: "rows", element: .init("r0", aliases: ["isbn:1"], sharedAliases: ["t:Intro"]), role: .selected)
        #expect(saved.find(in: Rows([["t:Intro"], ["t:Intro"]]))?.identifier == "r0")
    }

    // MARK: - On the other device

    /// The tracks of two albums, and a best-of album of both, in the order of its own.
    private static let albums = [(1...12).map { ["t:a\($0)"] }, (1...12).map { ["t:b\($0)"] }]
    private static let bestOf = [4, 7, 2, 9, 5, 11, 1, 12].flatMap { [["t:a\($0)"], ["t:b\($0)"]] }

    /// Every neighbor is in two rows, so none shows the place alone.
    @Test func findsATrackWhoseNeighborsAreAllInTwoRows() {
        let (one, other) = (Self.albums[0], Self.albums[1])
        let saved = ModelReference("r32", of: Rows(one + other + Self.bestOf), role: .selected)
        #expect(saved.element == .init("r32", sharedAliases: ["t:a5"]))
        let served = saved.served(.pending)
        #expect(served.find(in: Rows(Self.bestOf + other + one))?.identifier == "r8")
        #expect(served.find(in: Rows(one + other)) == nil, "the device has the track only on its album")
    }

    /// The other device has the albums in another order, so only half of the neighbors are near the track.
    @Test func findsTheFirstTrackOfAnAlbumAmongAlbumsInAnotherOrder() {
        let sections = (0..<6).map { section in (0..<10).map { ["t:\(section) \($0)"] } }
        let shared = [["t:2 0"], ["t:4 3"]]
        let saved = ModelReference("r20", of: Rows(sections.flatMap { $0 } + shared), role: .selected)
        #expect(saved.element == .init("r20", sharedAliases: ["t:2 0"]))
        let here = Rows(shared + [5, 3, 1, 4, 2, 0].flatMap { sections[$0] })
        #expect(saved.served(.pending).find(in: here)?.identifier == "r42")
        let lacking = Rows(shared + [5, 3, 1, 4, 2, 0].flatMap { sections[$0].filter { $0 != ["t:2 0"] } })
        #expect(saved.served(.pending).find(in: lacking) == nil, "the row with this title is far from the album")
    }

    /// An element that is listed several times counts once.
    @Test func findsATrackAmongRowsThatAreListedSeveralTimes() {
        let sections = (0..<3).map { section in (0..<10).map { ["t:\(section) \($0)"] } }
        let saved = ModelReference("r12", of: Rows(sections.flatMap { $0 } + [["t:1 2"]]), role: .selected)
        let filler = (0..<20).map { ["t:f\($0)"] }
        let titles = sections[2] + filler + sections[1] + filler + sections[0] + filler
        var rows = titles.enumerated().map { ("r\($0)", $1) }
        rows += [("x", ["t:1 2"]), ("r32", ["t:1 2"]), ("x", ["t:1 2"]), ("r32", ["t:1 2", "t:1 2"])]
        #expect(saved.served(.pending).find(in: Rows(rows.map(\.1), names: rows.map(\.0)))?.identifier == "r32")
    }

    /// The service translated the neighbor's identifier. A row with its shared alias is another one.
    @Test func believesTheIdentifierOfANeighborBeforeItsSharedAlias() {
        let album = (0..<9).map { ["t:\($0)"] }
        let here = Rows(
            album.map { $0 == ["t:4"] ? [] : $0 } + (0..<20).map { ["t:f\($0)"] } + [["t:Intro"], ["t:x"], ["t:Intro"]])
        var reference = ModelReference(dataSource: "rows", element: .init(nil, aliases: ["t:x"]), role: .selected)
        reference.before = (0..<3).reversed().map { .init("r\($0)", sharedAliases: ["t:Intro"]) }
        reference.after = (5..<9).map { .init("r\($0)", sharedAliases: ["t:Intro"]) }
        #expect(reference.served(.pending, keepsNames: true).find(in: here)?.identifier == nil)
    }

    /// The title is its own on both devices, but the album's name differs. The neighbors are unknown.
    @Test(arguments: [("Best", nil), ("First", "r0")])
    func believesATitleOnlyIfTheRestOfTheMetadataAgrees(album: String, _ expected: String?) {
        func track(_ title: String, _ album: String) -> [String] {
            ["song:\(title)", "album:\(album)"]
        }
        let saved = ModelReference("r0", of: Rows([track("One", "First")]), role: .selected)
        let here = Rows([track("One", album), track("Two", "Other"), track("Two", "Other"), track("3", "First")])
        #expect(saved.served(.pending).find(in: here)?.identifier == expected)
    }

    @Test func searchesForNoElementByAnAliasThatIsShared() {
        let reference = ModelReference(
            dataSource: "rows", element: .init(nil, sharedAliases: ["t:Intro"]), role: .selected)
        #expect(reference.served(.pending).find(in: Rows([["t:Intro"], ["t:Song"]])) == nil)
    }
}

extension ModelReference {
    fileprivate func served(_ step: Step, keepsNames: Bool = false) -> ModelReference {
        var reference = self
        reference.element.identifier = nil
        reference.resolution = .init(step: step, confidence: 0)
        if keepsNames { return reference }
        reference.before = before.map { .init(nil, aliases: $0.aliases, sharedAliases: $0.sharedAliases) }
        reference.after = after.map { .init(nil, aliases: $0.aliases, sharedAliases: $0.sharedAliases) }
        return reference
    }
}

/// A list of rows with these aliases, called `r0`, `r1` and so on.
@MainActor
private final class Rows: DataSourceModelAssociation {
    let dataSourceName = "rows"
    var looksUp = false
    var isCounted = true
    /// The aliases of elements that are not loaded.
    var later: [String: [String]] = [:]
    private(set) var readCount = 0
    private let elements: [ListElement]

    init(_ aliases: [[String]], names: [String] = []) {
        elements = aliases.enumerated().map { ListElement(names.isEmpty ? "r\($0)" : names[$0], aliases: $1) }
    }

    func elementCounts(in view: (any ElementView)?) -> [Int] { isCounted ? [elements.count] : [] }

    func listElements(in view: (any ElementView)?) -> [ListElement] {
        readCount += 1
        return isCounted ? elements : []
    }

    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        indexPath.flatMap { elements.indices.contains($0.item) ? elements[$0.item].identifier : nil }
    }

    func indexPathForElement(withModelIdentifier identifier: String?, in view: (any ElementView)?)
        -> ElementIndexPath?
    {
        elements.firstIndex { $0.identifier == identifier }.map { ElementIndexPath(item: $0) }
    }

    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        later[identifier] ?? elements.first { $0.identifier == identifier }?.aliases ?? []
    }

    func modelIdentifiers(forElementsWithAlias alias: String) -> [String]? {
        looksUp ? elements.filter { $0.aliases.contains(alias) }.map(\.identifier) : nil
    }
}
