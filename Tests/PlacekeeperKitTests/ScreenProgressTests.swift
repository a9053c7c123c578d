import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// A screen says how far the person is in its book, and the card of an offer shows it.
@MainActor
final class ScreenProgressTests: LinkedDevicesTests {
    struct Reading: Codable, Hashable, PlaceScreen {
        var book: Book.Reference
        var page: Int

        var placeProgress: Double? { Double(page) / 100 }
    }

    override init() async throws {
        try await super.init()
        try await read("1", 1, on: pad)
    }

    private func place(on device: VirtualDevice) -> KeptPlace {
        let shelf = Shelf(device.configuration.device.idiom == .phone ? "phone-" : "pad-")
        let navigator = ValueNavigator<[Reading]>(lists: [shelf.list])
        return KeptPlace(device.placekeeper.scene(), navigator: navigator, device: device.configuration.device)
    }

    /// Opens a page, and ends the app.
    private func read(_ book: String, _ page: Int, on device: VirtualDevice) async throws {
        let place = place(on: device)
        await place.launch()
        let prefix = device.configuration.device.idiom == .phone ? "phone-" : "pad-"
        let reading = Reading(book: Book.Reference(placeID: prefix + book), page: page)
        (place.navigator as? ValueNavigator<[Reading]>)?.path = [reading]
        place.save()
        try await device.placekeeper.flush()
        await service.advance(by: 60)
        device.kill()
    }

    /// The card of the phone after its next launch.
    private func card() async -> PlaceOffer? {
        phone.kill()
        let place = place(on: phone)
        let launch = await place.launch()
        return launch.offer.map { PlaceOffer($0, OfferPresenter(place)) }
    }

    @Test(
        arguments: [
            (42, "18 % behind: 42 % there, 60 % here"), (75, "15 % ahead: 75 % there, 60 % here"), (60, nil),
        ] as [(Int, String?)])
    func cardSaysHowFarThePlaceIs(page: Int, text: String?) async throws {
        try await read("2", 60, on: phone)
        try await read("2", page, on: pad)
        let card = try #require(await card())
        #expect(card.progressText == text)
        #expect(!card.offer.isQuiet)
    }

    @Test func cardOfAnotherBookSaysNothing() async throws {
        try await read("2", 60, on: phone)
        try await read("3", 20, on: pad)
        let card = try #require(await card())
        #expect(card.progressText == nil && card.offer.ownPlace != nil)
    }

    @Test(arguments: [20, 80])
    func cardOfAPlaceBehindIsQuietIfTheAppWantsIt(page: Int) async throws {
        phone.configuration.placesBehind = .quiet
        phone.kill()
        try await read("2", 60, on: phone)
        try await read("2", page, on: pad)
        #expect(await card()?.offer.isQuiet == (page < 60))
    }

    @Test func findingsNameAProgressThatIsNotFromZeroToOne() {
        let book = Book.Reference(placeID: "1")
        #expect(SavedForm.findings(in: [Reading(book: book, page: 40)]) == [])
        #expect(
            SavedForm.findings(in: [Reading(book: book, page: 140)])
                == ["\"progress\" of the screen \"Reading\" is too large, or can't be saved."])
    }
}
