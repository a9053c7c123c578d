import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperUI

/// Routes without code of their own.
private enum Screen: Codable, PlaceRoute {
    case about
    case book(id: String, page: Int?)
    case photo(UUID)
    case row(number: Int, of: String)
    case filter(
        on: Bool, count: UInt64, small: Int8, share: Double, text: String, bytes: Data, day: Date, tags: [String],
        nested: [[Int]], maybe: Date?, order: Order)
    case edited(draft: String)

    enum Order: String, Codable { case ascending, descending }
    /// The case `edited` was `draft`, and its value `draft` was `text`.
    enum CodingKeys: String, CodingKey { case about, book, photo, row, filter, edited = "draft" }
    enum EditedCodingKeys: String, CodingKey { case draft = "text" }

    static let placeManifest = RouteManifest([
        .init("about", renamedFrom: ["info"]),
        .init("book", items: ["id": "books"], parameters: ["page": .integer.optional]),
        .init("photo", items: ["_0": "photos"]), .init("row", items: ["of": "tables", "number": "rows"]),
        .init(
            "filter",
            parameters: [
                "on": .boolean, "count": .integer, "small": .integer, "share": .number, "text": .string, "bytes": .data,
                "day": .date, "tags": .array, "nested": .array, "maybe": .date.optional, "order": .string,
            ]),
        .init("draft", parameters: ["text": .string]),
    ])

    static let examples: [Screen] = [
        .about, .book(id: "1", page: 7), .book(id: "1", page: nil), .photo(UUID()), .row(number: -3, of: "a"),
        .filter(
            on: true, count: .max, small: -128, share: 0.5, text: "", bytes: Data([0, 255]), day: Date(), tags: [],
            nested: [[1], []], maybe: nil, order: .descending),
        .edited(draft: "x"),
    ]
}

/// Routes with values that a place cannot save, and a case that the coded form leaves out.
private enum Unsaved: Codable, PlaceRoute {
    case inside(Range), table(rows: [String: Int]), many(ids: [String]), wide(Wide), tree(Tree), secret(Secret)

    struct Range: Codable, Hashable { var from = 1 }
    /// A type that asks for itself without end.
    struct Wide: Codable, Hashable {
        init() {}
        init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Wide.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        }
    }
    /// Arrays in arrays.
    struct Tree: Codable, Hashable {
        var children: [Tree] = []
        init(depth: Int) { children = depth == 0 ? [] : [Tree(depth: depth - 1)] }
        init(from decoder: any Decoder) throws { children = try decoder.singleValueContainer().decode([Tree].self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(children)
        }
    }
    struct Secret: Codable, Hashable {
        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "secret"))
        }
    }

    static let placeManifest = RouteManifest([
        .init("inside"), .init("table"), .init("many", items: ["ids": "books"]), .init("wide"), .init("tree"),
        .init("secret"),
    ])
}

private enum Tab: String, Codable, PlaceRoute {
    case home, settings
    static let placeManifest = RouteManifest([.init("home"), .init("settings")])
}

/// A route of its own coded form, which is no case.
private struct Pair: Codable, PlaceRoute { var (first, second) = (1, 2) }

@MainActor
struct CodableRouteTests {
    @Test func findsNothingInRoutesOfEachSupportedType() async {
        #expect(await Screen.findings(in: Screen.examples) == [])
        #expect(await Tab.findings(in: [.home, .settings]) == [])
    }

    @Test func savesExplicitNamesAndNoValueTwice() {
        #expect(Screen.edited(draft: "x").placeName == "draft")
        #expect(Screen.edited(draft: "x").placeParameters == ["text": .string("x")])
        #expect(Screen.book(id: "1", page: nil).placeItems == [PlaceItem("1", of: "books")])
        #expect(Screen.book(id: "1", page: nil).placeParameters == [:])
        #expect(
            Screen.row(number: 3, of: "a").placeItems == [PlaceItem("a", of: "tables"), PlaceItem("3", of: "rows")])
        #expect(Tab.settings.placeName == "settings")
    }

    @Test func opensTheSameItemUnderThisDevicesIdentifier() async throws {
        let service = try await TestService()
        let (phone, pad) = (service.device(.phone), service.device(.pad))
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
        let saved = RouteNavigator<Screen>(lists: [Shelf("phone-")])
        let place = KeptPlace(phone.placekeeper.scene(), navigator: saved, device: phone.options.device)
        await place.launch()
        saved.path = [.about, .book(id: "phone-2", page: 7), .edited(draft: "x")]
        place.save()
        try await phone.placekeeper.flush()

        let restored = RouteNavigator<Screen>(lists: [Shelf("pad-")])
        await KeptPlace(pad.placekeeper.scene(), navigator: restored, device: pad.options.device).launch()
        #expect(restored.path == [.about, .book(id: "pad-2", page: 7), .edited(draft: "x")])
    }

    @Test func opensAScreenUnderItsEarlierName() async {
        let navigator = RouteNavigator<Screen>()
        let result = await StateArchive(place: Place([.init(screen: "info")])).restorePlace(through: navigator)
        #expect(result?.stopped == nil)
        #expect(navigator.path == [.about])
    }

    @Test(arguments: [
        Place.Step(screen: "gone"), Place.Step(screen: ""),
        Place.Step(screen: "edited", parameters: ["text": .string("x")]),
        Place.Step(screen: "draft"), Place.Step(screen: "draft", parameters: ["text": .integer(1)]),
        Place.Step(screen: "draft", parameters: ["text": .null]),
        Place.Step(screen: "draft", parameters: ["text": .object(path: "x")]),
        Place.Step(screen: "book", parameters: ["id": .string("1")]),
    ])
    func staysOnThePreviousScreenForAnUnknownNameOrValue(step: Place.Step) async {
        let navigator = RouteNavigator<Screen>()
        let result = await StateArchive(place: Place([.init(screen: "about"), step])).restorePlace(through: navigator)
        #expect(result?.stopped == step.screen)
        #expect(navigator.path == [.about])
    }

    @Test(arguments: [
        ("filter", "count", StateValue.integer(-1)), ("filter", "small", .integer(128)), ("filter", "on", .integer(1)),
        ("filter", "share", .string("1")), ("filter", "bytes", .string("1")), ("filter", "tags", .array([.integer(1)])),
        ("filter", "tags", .dictionary([:])), ("filter", "share", .real(.nan)), ("filter", "day", .date(.nan)),
        ("filter", "order", .string("sideways")), ("filter", "small", .real(1)),
    ])
    func refusesAValueOfAnotherTypeOrOutOfRange(name: String, label: String, value: StateValue) async throws {
        let route = try #require(Screen.examples.first { $0.placeName == name })
        var parameters = route.placeParameters
        func restored() async -> [Screen] {
            let navigator = RouteNavigator<Screen>()
            let place = Place([.init(screen: name, parameters: parameters)])
            _ = await StateArchive(place: place).restorePlace(through: navigator)
            return navigator.path
        }
        #expect(await restored() == [route])
        parameters[label] = value
        #expect(await restored() == [])
    }

    @Test func refusesAnotherTextOfANumber() async {
        let navigator = RouteNavigator<Screen>(lists: [Rows("tables"), Rows("rows")])
        for text in ["5", "05", "+5", "five"] {
            let elements = ["a", text].map { ModelReference.Element($0, aliases: []) }
            let references = zip(["tables", "rows"], elements).map {
                ModelReference(dataSource: $0, element: $1, role: .selected)
            }
            let place = Place([.init(screen: "row", references: [0, 1])])
            _ = await StateArchive(references: references, place: place).restorePlace(through: navigator)
        }
        #expect(navigator.path == [.row(number: 5, of: "a")])
    }

    @Test func findsEachValueThatAPlaceCannotSave() async {
        let routes: [Unsaved] = [
            .inside(.init()), .table(rows: ["a": 1]), .many(ids: ["1"]), .wide(.init()), .tree(.init(depth: 100)),
            .secret(.init()),
        ]
        let lost = { (name: String, label: String) in
            "The route \"\(name)\" does not come back from its saved form. A place cannot save the type of: \(label)."
        }
        #expect(
            await Unsaved.findings(in: routes) == [
                lost("inside", "_0"), lost("table", "rows"),
                "The items of the route \"many\" belong to other lists than the manifest gives for it.",
                "The route \"many\" does not come back from its saved form. Check its initializer.",
                lost("wide", "_0"), lost("tree", "_0"), lost("secret", "_0"),
            ])
        #expect(
            await Pair.findings(in: [Pair()]) == [
                "A route has no name. The coded form of a route is the case of an enum."
            ])
    }

    @Test func findsAnIdentifierThatIsNoItem() async {
        let findings = await Forgotten.findings(in: [.book(id: "1")])
        #expect(findings.count == 1 && findings[0].contains("If the value identifies an item, list it as an item"))
    }
}

private enum Forgotten: Codable, PlaceRoute {
    case book(id: String)
    static let placeManifest = RouteManifest([.init("book")])
}

/// A list that has every item.
@MainActor
private final class Rows: ModelAssociation {
    let dataSourceName: String
    let listElements: [ListElement] = []
    init(_ name: String) { dataSourceName = name }
    func containsElement(withModelIdentifier identifier: String) -> Bool { true }
}
