import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests references as the service serves them. A found item is used. An item that was not found is looked up again.
@MainActor
struct ServedReferenceTests {
    /// Returns a data source with the items of this device. `names` has the identifier and the only alias of each item.
    private func here(_ names: KeyValuePairs<String, String>) -> Elements {
        let elements = Elements([names.map(\.key)])
        elements.aliases = Dictionary(uniqueKeysWithValues: names.map { ($0.key, [$0.value]) })
        return elements
    }

    private func served(
        _ identifier: String?, _ step: ModelReference.Step, alias: String? = nil, role: ModelReference.Role = .selected,
        before: [ModelReference.Element] = [], after: [ModelReference.Element] = [], neighbor: String? = nil
    ) -> ModelReference {
        ModelReference(
            dataSource: "elements", element: .init(identifier, aliases: [alias].compactMap { $0 }), role: role,
            before: before, after: after, resolution: .init(step: step, confidence: 0.5, neighbor: neighbor))
    }

    @Test func prefersTheItemToItsStandIn() {
        let elements = here(["b1": "one", "b2": "two"])
        for role in [ModelReference.Role.selected, .firstVisible] {
            let reference = served("b1", .neighbor, alias: "two", role: role)
            #expect(reference.resolve(in: elements) == .init(indexPath: .init(item: 1), identifier: "b2", step: .alias))
        }
    }

    @Test func usesStandInOnlyAsNeighbor() {
        let elements = here(["b1": "one", "b2": "two"])
        for role in [ModelReference.Role.selected, .firstVisible] {
            let reference = served("b2", .neighbor, alias: "gone", role: role)
            #expect(
                reference.resolve(in: elements) == .init(indexPath: .init(item: 1), identifier: "b2", step: .neighbor))
        }
        #expect(served("b2", .neighbor, alias: "gone", role: .other).resolve(in: elements) == nil)
    }

    @Test func prefersNearerNeighborToTheStandIn() {
        let elements = here(["b1": "one", "b2": "two", "b3": "three"])
        let reference = served(
            "b1", .neighbor, alias: "gone", role: .firstVisible, before: [.init("b1")],
            after: [.init(nil, aliases: ["three"])])
        #expect(reference.resolve(in: elements)?.identifier == "b3")
    }

    @Test(arguments: [ModelReference.Step.pending, .unresolved])
    func selectsNoNeighborOfUnresolvedItem(_ step: ModelReference.Step) {
        let elements = here(["b1": "one"])
        elements.selectsNeighbors = true
        let neighbor = ModelReference.Element("b1", aliases: ["one"])
        #expect(served(nil, step, alias: "two", after: [neighbor]).resolve(in: elements) == nil)
        let top = served(nil, step, alias: "two", role: .firstVisible, after: [neighbor])
        #expect(top.resolve(in: elements)?.step == .neighbor)
    }

    @Test func usesProvisionalNeighborOnlyForPendingFirstVisibleItem() {
        let elements = here(["b1": "one", "b2": "two"])
        elements.selectsNeighbors = true
        let top = served(nil, .pending, alias: "gone", role: .firstVisible, neighbor: "b2")
        let stay = ElementResolution(
            indexPath: .init(item: 1), identifier: "b2", step: .neighbor, isProvisional: true)
        #expect(top.resolve(in: elements) == stay)
        for role in [ModelReference.Role.selected, .other] {
            #expect(served(nil, .pending, alias: "gone", role: role, neighbor: "b2").resolve(in: elements) == nil)
        }
        let lost = served(nil, .unresolved, alias: "gone", role: .firstVisible, neighbor: "b2")
        #expect(lost.resolve(in: elements) == nil)
        elements.aliases["b1"] = ["gone"]
        #expect(top.resolve(in: elements)?.identifier == "b1", "the item itself has arrived")
    }

    @Test func prefersNearerNeighborToTheProvisionalNeighbor() {
        let elements = here(["b1": "one", "b2": "two"])
        let next = ModelReference.Element(nil, aliases: ["two"])
        let top = served(nil, .pending, alias: "gone", role: .firstVisible, after: [next], neighbor: "b1")
        #expect(top.resolve(in: elements)?.identifier == "b2")
    }

    @Test func tellsWhetherANeighborIsProvisional() {
        let elements = here(["b1": "one"])
        let next = ModelReference.Element("b1")
        func found(_ step: ModelReference.Step?) -> ElementResolution? {
            var top = served(nil, step ?? .exact, alias: "gone", role: .firstVisible, after: [next])
            if step == nil { top.resolution = nil }
            return top.resolve(in: elements)
        }
        #expect(found(.pending)?.isProvisional == true)
        for step in [ModelReference.Step.unresolved, nil] {
            #expect(found(step)?.step == .neighbor && found(step)?.isProvisional == false)
        }
        #expect(served(nil, .pending, alias: "one").resolve(in: elements)?.isProvisional == false)
    }

    @Test func findsProvisionalNeighborInListWithoutIndexPaths() async {
        let list = Identifiers("b1")
        let top = served(nil, .pending, alias: "gone", role: .firstVisible, neighbor: "b1")
        let stay = IdentifiedElement(identifier: "b1", step: .neighbor, isProvisional: true)
        #expect(top.find(in: list) == stay)
        #expect(await top.revealElement(in: list) == stay)
    }

    @Test func prefersServedIdentifierToAliases() {
        // A third device registered the aliases "one" and "two" for one item, so the service serves "b2" for an item
        // with the alias "one".
        let elements = here(["b1": "one", "b2": "two"])
        #expect(served("b2", .alias, alias: "one").resolve(in: elements)?.identifier == "b2")
    }

    @Test func treatsIdentifierAsReusedIfAllItsAliasesDiffer() {
        let elements = here(["p12": "one", "p13": "two"])
        func own(_ alias: String...) -> ElementResolution? {
            ModelReference(dataSource: "elements", element: .init("p12", aliases: alias)).resolve(in: elements)
        }
        #expect(own("two")?.identifier == "p13")
        #expect(own("gone") == nil)
        #expect(own("gone", "one")?.step == .identifier)
        #expect(own()?.step == .identifier)
        // If p12 has no aliases anymore, the reference still means p12, unless another item has one of the reference's
        // aliases.
        elements.aliases["p12"] = nil
        #expect(own("gone")?.identifier == "p12")
        #expect(own("gone", "two")?.identifier == "p13")
    }

    @Test func findsItemWithMostOfTheAliases() {
        let elements = Elements("b1", "b2", "b3")
        elements.aliases = ["b1": ["old"], "b3": ["new", "newer"]]
        func found(_ aliases: String...) -> String? {
            ModelReference(dataSource: "elements", element: .init("a1", aliases: aliases)).resolve(in: elements)?
                .identifier
        }
        #expect(found("old", "new", "newer") == "b3")
        #expect(found("old", "new") == "b1")
    }

    @Test func ignoresAmbiguousAliases() {
        let elements = Elements("b1", "b2", "b3")
        elements.aliases = ["b1": ["default"], "b2": ["default", "two"], "b3": ["default"]]
        func found(_ aliases: [String], next: [String] = []) -> String? {
            ModelReference(
                dataSource: "elements", element: .init("a1", aliases: aliases), role: .selected,
                after: [.init("a2", aliases: next)]
            ).resolve(in: elements)?.identifier
        }
        #expect(found(["default"]) == nil)
        #expect(found(["default", "two"]) == "b2")
        // If a neighbor in the reference has the same alias as the item, this alias is ambiguous too.
        elements.aliases = ["b1": ["default"], "b3": ["three"]]
        #expect(found(["default"]) == "b1")
        #expect(found(["default"], next: ["default"]) == nil)
        #expect(found(["default", "three"], next: ["default"]) == "b3")
    }

    @Test func findsItemThatIsListedTwice() {
        let elements = Elements([["b1", "b2"], ["b1"]])
        elements.aliases = ["b1": ["one"], "b2": ["two"]]
        var reference = ModelReference(elementAt: .init(item: 0), of: elements, role: .selected)
        #expect(reference?.after.count == 2)
        reference?.element.identifier = nil
        for index in 0..<2 { reference?.after[index].identifier = nil }
        #expect(reference?.resolve(in: elements)?.identifier == "b1")
    }

    @Test func findsItemByIndexPathOnlyWithoutIdentifierAndAliases() {
        let elements = here(["b1": "one", "b2": "two"])
        func found(_ indexPath: [Int]?, _ element: ModelReference.Element = .init(nil)) -> ElementResolution? {
            ModelReference(dataSource: "elements", element: element, role: .firstVisible, indexPath: indexPath)
                .resolve(in: elements)
        }
        #expect(found([0, 1]) == .init(indexPath: .init(item: 1), identifier: "b2", step: .indexPath))
        for place in [nil, [], [0], [0, 2], [1, 0], [-1, 0], [0, -1], [0, 1, 0]] { #expect(found(place) == nil) }
        #expect(found([0, 1], .init("gone")) == nil)
        #expect(found([0, 1], .init(nil, aliases: ["gone"])) == nil)
    }

    @Test func revealsItemWithoutIdentifierByItsAlias() async {
        let pages = Pages(["b1": "one", "b2": "two", "b3": "three"])
        let found = await served(nil, .pending, alias: "three").reveal(in: pages)
        #expect(found?.identifier == "b3")
        #expect(pages.asked == ["b3"])
        #expect(await served(nil, .pending, alias: "four").reveal(in: pages) == nil)
        #expect(pages.asked == ["b3"])
    }

    @Test func revealsStandInIfTheItemIsGone() async {
        let pages = Pages(["b1": "one", "b2": "two"])
        let found = await served("b2", .neighbor, alias: "gone", role: .firstVisible).reveal(in: pages)
        #expect(found == .init(indexPath: .init(item: 0), identifier: "b2", step: .neighbor))
        #expect(pages.asked == ["b2"])
    }

    @Test func revealsProvisionalNeighborIfTheItemHasNotArrived() async {
        let pages = Pages(["b1": "one", "b2": "two"])
        let found = await served(nil, .pending, alias: "late", role: .firstVisible, neighbor: "b2").reveal(in: pages)
        #expect(found?.identifier == "b2" && found?.isProvisional == true)
        #expect(pages.asked == ["b2"])
        #expect(await served(nil, .pending, alias: "late", neighbor: "b1").reveal(in: pages) == nil)
        #expect(pages.asked == ["b2"])
    }

    @Test func revealsNoItemThatIsLoaded() async {
        let pages = Pages(["b1": "one"])
        pages.sections = [["b1"]]
        #expect(await served("b1", .alias, alias: "one").reveal(in: pages)?.step == .identifier)
        #expect(pages.asked.isEmpty)
    }

    @Test func doesNotSaveTheResolutionOfTheService() throws {
        let app = TestApp(Screen("Root"))
        let photo = served("b1", .neighbor, alias: "gone")
        app.willEncode = { $0.encode(.reference($0.index(of: photo)), forKey: "photo") }
        let reference = try #require(try app.save()?.references.first)
        #expect(reference.element == .init(nil, aliases: ["gone"]))
        #expect(reference.resolution == nil)
    }
}

/// A list that has no index paths, and whose elements have no aliases.
@MainActor
private final class Identifiers: ModelAssociation {
    let dataSourceName = "elements"
    private let names: [String]

    init(_ names: String...) { self.names = names }

    var listElements: [ListElement] { names.map { ListElement($0) } }
}

/// A data source that knows its elements by alias, and loads each element on request.
@MainActor
final class Pages: DataSourceModelAssociation {
    let dataSourceName = "elements"
    var sections: [[String]] = [[]]
    private let names: [String: String]
    private(set) var asked: [String] = []

    init(_ names: KeyValuePairs<String, String>) {
        self.names = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) })
    }

    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? { nil }
    func indexPathForElement(withModelIdentifier identifier: String?, in view: (any ElementView)?)
        -> ElementIndexPath?
    {
        sections[0].firstIndex { $0 == identifier }.map { .init(item: $0) }
    }
    func modelIdentifiers(forElementsWithAlias alias: String) -> [String]? { names[alias].map { [$0] } ?? [] }
    func reveal(elementWithModelIdentifier identifier: String) async -> Bool {
        asked.append(identifier)
        sections[0].append(identifier)
        return true
    }
}
