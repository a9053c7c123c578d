import PlacekeeperArchive
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperKit

@MainActor
struct ValueNavigatorTests {
    @Test func namesRootAndEachScreen() {
        let navigator = ValueNavigator<[Route]>(lists: [Shelf("p").list], title: "Library")
        navigator.path = [.search(text: "sea"), .book("p2")]
        #expect(navigator.placeSteps.map(\.screen) == ["root", "search", "book"])
        #expect(navigator.placeSteps.map(\.title) == ["Library", "search", "Book 2"])
        #expect(navigator.placeSteps.last?.elements.map(\.element) == [.init("p2", aliases: ["isbn:2"])])
    }

    @Test func goesToTheItemUnderItsOtherIdentifier() async {
        let navigator = ValueNavigator<[Route]>(lists: [Shelf("pad-").list])
        #expect(await navigator.restore([book("phone-2", "isbn:2")]).stopped == nil)
        #expect(navigator.path == [.book("pad-2")])
    }

    @Test func stopsBeforeItemThatIsGone() async {
        let navigator = ValueNavigator<[Route]>(lists: [Shelf("pad-", ["1", "3"]).list])
        let result = await navigator.restore([book("phone-2", "isbn:2"), book("phone-3", "isbn:3")])
        #expect(result == PlaceRestoration(reached: ["root"], stopped: "book", reason: .init(.declined)))
        #expect(navigator.path.isEmpty)
    }

    @Test func takesNoNeighborInPlaceOfAnItem() async {
        let navigator = ValueNavigator<[Route]>(lists: [Shelf("pad-").list])
        var gone = book("pad-3", "isbn:9")
        gone.resolution = .init(step: .neighbor, confidence: 1)
        #expect(await navigator.restore([gone]).stopped == "book")
        #expect(navigator.path.isEmpty)
    }

    @Test func stopsBeforeItemOfUnknownList() async {
        let navigator = ValueNavigator<[Route]>(lists: [])
        #expect(await navigator.restore([book("1", "isbn:1")]).stopped == "book")
    }

    @Test func stopsBeforeUnknownScreenAndMissingParameter() async {
        let navigator = ValueNavigator<[Route]>(lists: [Shelf().list])
        for step in [Place.Step(screen: "gone"), Place.Step(screen: "search")] {
            let result = await StateArchive(place: Place([step])).restorePlace(through: navigator)
            #expect(result?.stopped == step.screen)
        }
        #expect(navigator.path.isEmpty)
    }

    @Test func leavesThePathAloneIfThePersonNavigatesMeanwhile() async {
        let shelf = Shelf("pad-", ["1"])
        let navigator = ValueNavigator<[Route]>(lists: [shelf.list])
        shelf.whileLoading = {
            navigator.path = [.search(text: "sea")]
            shelf.isbns = ["1", "2"]
        }
        #expect(await navigator.restore([book("pad-2", "isbn:2")]).stopped == "book")
        #expect(navigator.path == [.search(text: "sea")])
    }

    private func book(_ identifier: String, _ alias: String) -> ModelReference {
        ModelReference(dataSource: "Book", element: .init(identifier, aliases: [alias]), role: .selected)
    }
}

extension ValueNavigator where Value == [Route] {
    /// Restores a place with a root and a book for each reference.
    fileprivate func restore(_ books: [ModelReference]) async -> PlaceRestoration {
        let steps = books.indices.map { index in
            Place.Step(screen: "book", references: [index], parameters: ["_0": .reference(index)])
        }
        let archive = StateArchive(references: books, place: Place([.init(screen: "root")] + steps))
        return await archive.restorePlace(through: self) ?? PlaceRestoration(reached: [])
    }
}
