import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperUI

/// A later version of the tests' app: the screen `search` has the name `find`.
private enum LaterRoute: Hashable, PlaceRoute {
    case book(id: String)
    case find(text: String)

    static let placeManifest = RouteManifest([
        .init("book", items: ["books"]),
        .init("find", parameters: ["text": .string], renamedFrom: ["search"]),
    ])

    var placeName: String {
        switch self {
        case .book: "book"
        case .find: "find"
        }
    }
    var placeItems: [PlaceItem] {
        if case .book(let id) = self { [PlaceItem(id, of: "books")] } else { [] }
    }
    var placeParameters: [String: StateValue] {
        if case .find(let text) = self { ["text": .string(text)] } else { [:] }
    }
    init?(placeName: String, items: [PlaceItem], parameters: StateDecoder) {
        if placeName == "book", let book = items.first {
            self = .book(id: book.identifier)
        } else if placeName == "find", let text = parameters.decodeString(forKey: "text") {
            self = .find(text: text)
        } else {
            return nil
        }
    }
}

/// A route whose code and manifest differ.
private struct WrongRoute: PlaceRoute {
    static let placeManifest = RouteManifest([
        .init("a", parameters: ["text": .string]), .init("b", items: ["books"], parameters: ["page": .integer]),
        .init("c", parameters: ["page": .integer.optional]), .init("d"),
    ])
    var placeName: String
    var placeParameters: [String: StateValue] = [:]

    init(_ name: String, _ parameters: [String: StateValue]) {
        placeName = name
        placeParameters = parameters
    }
    init?(placeName: String, items: [PlaceItem], parameters: StateDecoder) {
        guard placeName != "d" else { return nil }
        self.init(placeName, [:])
        for key in ["text", "page"] { placeParameters[key] = parameters.value(forKey: key) }
    }
}

@MainActor
struct RouteManifestTests {
    @Test func restoresPlaceOfAnOlderVersionUnderThePresentName() async throws {
        let service = try await TestService()
        let (phone, pad) = (service.device(.phone), service.device(.pad))
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
        let older = RouteNavigator<Route>(lists: [Shelf("phone-")])
        let place = KeptPlace(phone.placekeeper.scene(), navigator: older, device: phone.options.device)
        await place.launch()
        older.path = [.search(text: "sea"), .book(id: "phone-2")]
        place.save()
        try await phone.placekeeper.flush()

        let later = RouteNavigator<LaterRoute>(lists: [Shelf("pad-")])
        await KeptPlace(pad.placekeeper.scene(), navigator: later, device: pad.options.device).launch()
        #expect(later.path == [.find(text: "sea"), .book(id: "pad-2")])
    }

    @Test func stopsAtThePresentNameOfAScreen() async {
        let place = Place([.init(screen: "root"), .init(screen: "search")])
        let result = await StateArchive(place: place).restorePlace(through: RouteNavigator<LaterRoute>())
        #expect(result == PlaceRestoration(reached: ["root"], stopped: "find", reason: .init(.declined)))
    }

    @Test func findsNothingInRoutesThatAreAsListed() async {
        #expect(await LaterRoute.findings(in: [.book(id: "1"), .find(text: "sea")]).isEmpty)
    }

    @Test func findsEachDifferenceBetweenManifestAndCode() async {
        let examples = [
            WrongRoute("a", ["text": .string("sea"), "page": .integer(1)]), WrongRoute("b", ["page": .string("1")]),
            WrongRoute("c", [:]), WrongRoute("e", [:]),
        ]
        #expect(
            await WrongRoute.findings(in: examples) == [
                "The manifest lists the route \"d\", but no example has this name. Add an example.",
                "The manifest does not list the parameter \"page\" of the route \"a\". Add it. If the value "
                    + "identifies an item, list it as an item: parameters are not translated.",
                "The items of the route \"b\" belong to other lists than the manifest gives for it.",
                "The parameter \"page\" of the route \"b\" is not of type integer.",
                "The manifest does not list the route \"e\". Add it to `placeManifest`.",
            ])
        let unreadable = await WrongRoute.findings(in: [WrongRoute("d", [:])])
        #expect(unreadable.last == "The route \"d\" does not come back from its saved form. Check its initializer.")
    }
}
