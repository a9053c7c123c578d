import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests lists in which several elements have the same alias. Such an alias never leads to one of them.
@MainActor
struct SharedAliasTests {
    private func reference(_ identifier: String? = nil, _ aliases: String...) -> ModelReference {
        ModelReference(dataSource: "elements", element: .init(identifier, aliases: aliases))
    }

    private func list(_ elements: KeyValuePairs<String, [String]>) -> Elements {
        let list = Elements([elements.map(\.key)])
        list.aliases = Dictionary(elements.map { ($0.key, $0.value) }) { first, _ in first }
        return list
    }

    @Test func findsOnlyTheSoleElementWithAnAlias() {
        let rows = list(["b1": ["title:one"], "b2": ["title:two"], "b3": ["title:two"]])
        let plain = PlainList(rows.listElements)
        for list in [rows, plain] as [any ModelAssociation] {
            #expect(reference(nil, "title:one").find(in: list)?.identifier == "b1")
            #expect(reference(nil, "title:two").find(in: list) == nil)
            #expect(reference(nil, "title:two", "title:one").find(in: list)?.identifier == "b1")
        }
    }

    @Test func asksTheAppForAllElementsWithAnAlias() {
        let list = PlainList([.init("b1"), .init("b2")])
        list.lookUp = { $0 == "title:one" ? ["b1", "b1"] : ["b1", "b2"] }
        #expect(reference(nil, "title:one").find(in: list)?.identifier == "b1")
        #expect(reference(nil, "title:two").find(in: list) == nil)
    }

    @Test func countsAnElementOnceThatIsListedTwice() {
        let rows = list(["b1": ["title:one"], "b2": ["title:two"], "b1 ": []])
        rows.sections = [["b1", "b2", "b1"]]
        #expect(reference(nil, "title:one").find(in: rows)?.identifier == "b1")
    }

    @Test func treatsIdentifierAsReusedIfOnlyASharedAliasIsLeft() {
        let saved = reference("p1", "title:Untitled", "key:1")
        #expect(saved.find(in: list(["p1": ["title:Untitled", "key:2"], "p2": ["title:Untitled"]])) == nil)
        let moved = list(["p1": ["title:Untitled", "key:2"], "p2": ["title:Untitled", "key:1"]])
        #expect(saved.find(in: moved)?.identifier == "p2")
        // A title that no other element has is evidence.
        #expect(saved.find(in: list(["p1": ["title:Untitled", "key:2"]]))?.identifier == "p1")
    }

    @Test(arguments: [["title:Untitled"], ["title:Untitled", "key:1", "key:3"], ["title:Untitled", "key:1"]])
    func keepsElementThatGainsOrLosesAliases(_ aliases: [String]) {
        let rows = list(["p1": aliases, "p2": ["title:Untitled"]])
        #expect(reference("p1", "title:Untitled", "key:1").find(in: rows)?.identifier == "p1")
    }

    @Test func readsTheListOnceForAllReferences() {
        let rows = list(["b1": ["one"], "b2": ["two"], "b3": ["three"]])
        let view = ListView()
        view.dataSource = rows
        let before = rows.asked.count
        view.show(PendingList(selection: ["one", "two", "three", "four"].map { reference(nil, $0) }))
        #expect(view.listSelection.count == 3)
        #expect(
            rows.asked.count - before <= 2 * 3, "each row is read once, and each selected row is asked for its name")
    }
}

/// A list without index paths.
@MainActor
private final class PlainList: ModelAssociation {
    let dataSourceName = "elements"
    let listElements: [ListElement]
    /// The app's own lookup, if it has one.
    var lookUp: ((String) -> [String])?

    init(_ elements: [ListElement]) { listElements = elements }

    func modelIdentifiers(forElementsWithAlias alias: String) -> [String]? { lookUp?(alias) }
}
