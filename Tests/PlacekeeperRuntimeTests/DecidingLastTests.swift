import PlacekeeperArchive
import PlacekeeperRuntime
import Testing

/// Tests how the device decides about a served reference by its whole list, which the service may not know
/// (docs/identity-algorithm.md#the-device-decides-last).
@MainActor
struct DecidingLastTests {
    /// The tracks of an album. The track `t5` is also on a best-of album.
    private let album = (1...9).map { "key:t\($0)" }
    private let bestOf = ["key:x1", "key:x2", "key:t5", "key:x3", "key:x4"]
    /// The albums between the two.
    private let others = (1...10).map { "key:f\($0)" }
    /// The list of a device that lacks the album's track. The best-of album's track is in the row `r20`.
    private var lacking: [String] { album.filter { $0 != "key:t5" } + others + bestOf }

    /// A list whose rows are called `r0`, `r1` and so on, and have one alias each.
    private func list(_ aliases: [String], unique: [String] = []) -> Tracks {
        Tracks(aliases.enumerated().map { ListElement("r\($0)", aliases: [$1]) }, uniqueAliases: unique)
    }

    /// The album's track `t5` with the other tracks of the album beside it, as the service serves it.
    private func track(
        _ identifier: String?, _ step: ModelReference.Step, aliases: [String] = ["key:t5"], shared: [String]? = nil
    ) -> ModelReference {
        ModelReference(
            dataSource: "music", element: .init(identifier, aliases: aliases, sharedAliases: shared), role: .selected,
            before: album[..<4].reversed().map { .init(nil, aliases: [$0]) },
            after: album[5...].map { .init(nil, aliases: [$0]) }, resolution: .init(step: step, confidence: 0.9))
    }

    @Test func doesNotTakeTheOtherAlbumsTrackIfTheAlbumLacksIt() {
        // Another title is twice in the list, so titles are no proof.
        let here = list(lacking + ["key:x1"])
        #expect(track("r20", .alias).find(in: here) == nil)
        #expect(track(nil, .pending).find(in: here) == nil)
        #expect(track(nil, .pending, aliases: [], shared: ["key:t5"]).find(in: here) == nil)
    }

    @Test(arguments: [false, true])
    func takesTheAlbumsTrackIfBothAlbumsHaveIt(isReversed: Bool) {
        let rows = album + others + bestOf
        let here = list(isReversed ? rows.reversed() : rows)
        let expected = isReversed ? "r19" : "r4"
        let other = isReversed ? "r2" : "r21"
        #expect(track(other, .alias).find(in: here)?.identifier == expected, "the service knew only the best-of album")
        #expect(track(nil, .pending, aliases: [], shared: ["key:t5"]).find(in: here)?.identifier == expected)
        #expect(track(nil, .unresolved, aliases: [], shared: ["key:t5"]).find(in: here)?.identifier == expected)
    }

    @Test func takesTheRowBetweenTheNeighborsIfItHasNoAlias() {
        let here = Tracks(
            album.enumerated().map { ListElement("r\($0)", aliases: $1 == "key:t5" ? [] : [$1]) })
        #expect(track(nil, .pending, aliases: []).find(in: here)?.identifier == "r4")
        let another = list(album.map { $0 == "key:t5" ? "key:other" : $0 })
        #expect(track(nil, .pending).find(in: another) == nil, "another title contradicts")
    }

    @Test func trustsTheServiceWithoutADoubt() {
        let rows = lacking + ["key:x1"]
        #expect(track("r20", .alias).find(in: list(rows, unique: ["key"]))?.identifier == "r20")
        #expect(track("r20", .exact).find(in: list(rows))?.identifier == "r20")
        // No title is twice in this list.
        #expect(track("r20", .alias).find(in: list(lacking))?.identifier == "r20")
        // By what the service alone knows, such as a third device or an operator's decision.
        #expect(track("r20", .alias, aliases: []).find(in: list(rows))?.identifier == "r20")
    }

    /// The book is on another shelf of this device. Two other books have one ISBN, and two have one title.
    @Test(arguments: [
        (["isbn"], true, false), (["title"], false, true), (["server"], false, false), ([], false, false),
    ])
    func believesOneAliasOfAUniqueKind(_ unique: [String], _ takesISBN: Bool, _ takesTitle: Bool) {
        for (kind, isTaken) in [("isbn", takesISBN), ("title", takesTitle)] {
            let rows = lacking.map { $0 == "key:t5" ? kind + ":5" : $0 } + ["isbn:9", "isbn:9", "title:9", "title:9"]
            for (identifier, step) in [("r20", .alias), (nil, .pending)] as [(String?, ModelReference.Step)] {
                let found = track(identifier, step, aliases: [kind + ":5"]).find(in: list(rows, unique: unique))
                #expect(found?.identifier == (isTaken ? "r20" : nil), "\(kind) \(unique)")
            }
        }
    }

    /// Two books of the reference have one ISBN.
    @Test func needsMoreThanAUniqueKindIfTwoElementsOfTheReferenceShareTheAlias() {
        var reference = track("r20", .alias)
        #expect(reference.find(in: list(lacking, unique: ["key"]))?.identifier == "r20")
        reference.before[3].aliases.append("key:t5")
        #expect(reference.find(in: list(lacking, unique: ["key"])) == nil)
    }

    @Test func readsNoListForAnAliasOfAUniqueKind() {
        for (unique, isRead) in [(["key"], false), (["isbn"], true)] {
            let here = list(lacking + ["key:x1"], unique: unique)
            _ = track("r20", .alias).find(in: here)
            #expect((here.readCount > 0) == isRead)
        }
    }

    /// What the service knows more: the reference has only an alias that other items have too.
    @Test func trustsTheServiceDespiteASharedAlias() {
        let rows = lacking.map { $0.hasPrefix("key:t") && $0 != "key:t5" ? $0 + " (edited)" : $0 } + ["key:t5"]
        let served = track("r20", .alias, aliases: [], shared: ["key:t5"])
        #expect(served.find(in: list(rows))?.identifier == "r20")
    }

    /// The device may reject the identifier that the service found, and saves the reference again until the item arrives.
    @Test func decidesAgainAtTheNextLaunch() {
        let (lacking, complete) = (list(lacking + ["key:x1"]), list(album + others + bestOf))
        let rejected = track("r20", .alias).withoutResolution
        #expect(rejected.element == .init(nil, aliases: ["key:t5"]))
        #expect(rejected.find(in: lacking) == nil)
        #expect(track("r21", .alias).withoutResolution.find(in: complete)?.identifier == "r4")
        // Without aliases, the identifier is all that is known.
        #expect(track("r20", .alias, aliases: []).withoutResolution.element.identifier == "r20")
    }

    /// A list without index paths saves no neighbors.
    @Test(arguments: [ModelReference.Step.pending, .unresolved])
    func findsTheOnlyRowWithAnAliasOfAReferenceWithoutNeighbors(_ step: ModelReference.Step) {
        var alone = track(nil, step)
        (alone.before, alone.after) = ([], [])
        #expect(alone.find(in: list(lacking + ["key:x1"]))?.identifier == "r20")
        alone.resolution = nil
        #expect(alone.find(in: list(lacking + ["key:x1"]))?.identifier == "r20")
    }

    @Test func takesNoNewRowInPlaceOfAnElementThatIsGone() {
        let here = Tracks(album.enumerated().map { ListElement("r\($0)", aliases: $1 == "key:t5" ? [] : [$1]) })
        #expect(track("r3", .neighbor, aliases: []).find(in: here)?.step == .neighbor)
    }

    @Test func readsTheListOnceForManyReferences() {
        let here = PlainTracks(album + others + bestOf)
        let index = ListIndex(here, in: nil)
        for _ in 1...100 { _ = track("r21", .alias).find(by: index) }
        #expect(here.readCount < 5)
    }

    @Test func trustsTwoCommonAliases() {
        var elements = (lacking + ["key:x1"]).enumerated().map { ListElement("r\($0)", aliases: [$1]) }
        elements[20].aliases.append("key:long")
        #expect(track("r20", .alias, aliases: ["key:t5", "key:long"]).find(in: Tracks(elements))?.identifier == "r20")
    }

    @Test func keepsTheServicesAnswerInAnotherOrder() {
        // The album's tracks are far from each other.
        let sorted = album.filter { $0 != "key:t5" }.flatMap { track in [track] + (1...9).map { track + " \($0)" } }
        let here = list(["key:t5"] + sorted + ["key:x1", "key:x1"])
        #expect(track("r0", .alias).find(in: here)?.identifier == "r0")
    }

    @Test func doesNotReadAListThatLooksAliasesUp() {
        let here = list(lacking + ["key:x1"])
        here.looksUp = true
        #expect(track("r20", .alias).find(in: here)?.identifier == "r20")
        #expect(here.readCount == 0)
    }
}

/// A list that implements nothing but its elements.
@MainActor
private final class PlainTracks: ModelAssociation {
    let dataSourceName = "music"
    private(set) var readCount = 0
    private let aliases: [String]

    init(_ aliases: [String]) { self.aliases = aliases }

    var listElements: [ListElement] {
        readCount += 1
        return aliases.enumerated().map { ListElement("r\($0)", aliases: [$1]) }
    }
}

@MainActor
private final class Tracks: ModelAssociation {
    let dataSourceName = "music"
    let uniqueAliases: [String]
    var looksUp = false
    private(set) var readCount = 0
    private let elements: [ListElement]

    init(_ elements: [ListElement], uniqueAliases: [String] = []) {
        self.elements = elements
        self.uniqueAliases = uniqueAliases
    }

    var listElements: [ListElement] {
        readCount += 1
        return elements
    }

    func containsElement(withModelIdentifier identifier: String) -> Bool {
        elements.contains { $0.identifier == identifier }
    }

    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        elements.first { $0.identifier == identifier }?.aliases ?? []
    }

    func modelIdentifiers(forElementsWithAlias alias: String) -> [String]? {
        looksUp ? elements.filter { $0.aliases.contains(alias) }.map(\.identifier) : nil
    }
}
