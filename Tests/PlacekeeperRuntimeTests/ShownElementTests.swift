import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests the element that a screen shows, loaded or not.
@MainActor
struct ShownElementTests {
    private let elements = Elements("b1", "b2")

    init() { elements.aliases = ["b1": ["one"], "b2": ["two"]] }

    private func reference(
        _ identifier: String?, _ alias: String, _ step: ModelReference.Step? = nil
    ) -> ModelReference {
        ModelReference(
            dataSource: "elements", element: .init(identifier, aliases: [alias]), role: .selected,
            resolution: step.map { .init(step: $0, confidence: 0.5) })
    }

    @Test func findsElementByIdentifierOrAlias() {
        #expect(ShownElement(reference("b2", "two"), of: elements)?.identifier == "b2")
        #expect(ShownElement(reference("a7", "two"), of: elements)?.identifier == "b2")
        #expect(ShownElement(reference(nil, "two", .pending), of: elements)?.identifier == "b2")
    }

    @Test func isNilUnlessTheElementExistsOrMayArrive() {
        #expect(ShownElement(reference("b3", "three"), of: elements) == nil)
        #expect(ShownElement(reference(nil, "three", .unresolved), of: elements) == nil)
        #expect(ShownElement(reference(nil, "three", .pending), of: elements) != nil)
        #expect(ShownElement(reference("b3", "three"), of: elements, mayArrive: true) != nil)
        #expect(ShownElement(reference("b3", "three", .alias), of: elements, mayArrive: true) != nil)
        #expect(ShownElement(reference(nil, "three", .unresolved), of: elements, mayArrive: true) == nil)
    }

    @Test func neverShowsANeighbor() {
        elements.selectsNeighbors = true
        let neighbors = [ModelReference.Element("b2", aliases: ["two"])]
        let own = ModelReference(
            dataSource: "elements", element: .init("b3", aliases: ["three"]), role: .selected, after: neighbors)
        #expect(own.resolve(in: elements)?.identifier == "b2")
        #expect(ShownElement(own, of: elements) == nil)
        #expect(ShownElement(reference("b2", "three", .neighbor), of: elements) == nil)
    }

    @Test func reportsOnceThatTheElementArrived() throws {
        var shown = try #require(ShownElement(reference(nil, "three", .pending), of: elements))
        #expect(shown.identifier == nil)
        let early = shown.lookAgain()
        elements.sections = [["b1", "b2", "b3"]]
        elements.aliases["b3"] = ["three"]
        let late = shown.lookAgain()
        // An arrival is reported once.
        let again = shown.lookAgain()
        #expect([early, late, again] == [false, true, false])
        #expect(shown.identifier == "b3")
    }

    @Test func loadsElementByItsAlias() async throws {
        let pages = Pages(["b1": "one"])
        var shown = try #require(ShownElement(reference(nil, "one", .pending), of: pages))
        await shown.reveal()
        let isFound = shown.lookAgain()
        await shown.reveal()
        #expect(isFound)
        #expect(pages.asked == ["b1"])
    }

    @Test func savesIdentifierAndAliasesOfTheElement() throws {
        let there = ShownElement("b1", of: elements)
        #expect(there.reference?.element == .init("b1", aliases: ["one"]))
        #expect(there.reference?.role == .selected)
        let waiting = try #require(ShownElement(reference(nil, "three", .pending), of: elements))
        #expect(waiting.reference?.element == .init(nil, aliases: ["three"]))
        #expect(waiting.reference?.resolution == nil)
    }

    @Test func restoresElementWithItsScreen() throws {
        let app = TestApp(Screen("Root"))
        let elements = elements
        app.willEncode = { $0.encode(ShownElement("b2", of: elements), forKey: "photo") }
        var shown: ShownElement?
        app.didDecode = { shown = $0.decodeShownElement(of: elements, forKey: "photo") }
        let archive = try app.save()
        elements.sections = [["b2", "b1"]]
        try app.restore(archive)
        #expect(shown?.identifier == "b2")
    }
}
