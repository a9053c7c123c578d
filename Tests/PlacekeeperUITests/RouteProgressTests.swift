import Foundation
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperUI

/// A route says how far the person is in its book, and the card of an offer shows it.
@MainActor
final class RouteProgressTests: LinkedDevicesTests {
    enum Reading: Codable, PlaceRoute {
        case book(id: String, page: Int)

        var placeProgress: Double? {
            switch self {
            case .book(_, let page): Double(page) / 100
            }
        }
        static let placeManifest = RouteManifest([
            .init("book", items: ["id": "books"], parameters: ["page": .integer])
        ])
    }

    override init() async throws {
        try await super.init()
        try await read("1", 1, on: pad)
    }

    private func place(on device: VirtualDevice) -> KeptPlace {
        let shelf = Shelf(device.options.device.idiom == .phone ? "phone-" : "pad-")
        let navigator = RouteNavigator<Reading>(lists: [shelf])
        return KeptPlace(device.placekeeper.scene(), navigator: navigator, device: device.options.device)
    }

    /// Opens a page, and returns the window.
    private func read(_ book: String, _ page: Int, on device: VirtualDevice) async throws {
        let place = place(on: device)
        await place.launch()
        let prefix = device.options.device.idiom == .phone ? "phone-" : "pad-"
        (place.navigator as? RouteNavigator<Reading>)?.path = [.book(id: prefix + book, page: page)]
        place.save()
        try await device.placekeeper.flush()
        await service.advance(by: 60)
        device.kill()
    }

    /// The card of the phone after its next launch.
    private func card() async -> OfferCard? {
        phone.kill()
        let place = place(on: phone)
        let launch = await place.launch()
        return launch.offer.map { OfferCard($0, shownAt: Date()) }
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
        #expect(!card.isQuiet)
    }

    @Test func cardOfAnotherBookSaysNothing() async throws {
        try await read("2", 60, on: phone)
        try await read("3", 20, on: pad)
        let card = try #require(await card())
        #expect(card.progressText == nil && card.offer.ownPlace != nil)
    }

    @Test(arguments: [20, 80])
    func cardOfAPlaceBehindIsQuietIfTheAppWantsIt(page: Int) async throws {
        phone.options.placesBehind = .quiet
        phone.kill()
        try await read("2", 60, on: phone)
        try await read("2", page, on: pad)
        #expect(await card()?.isQuiet == (page < 60))
    }

    @Test func findingsNameAProgressThatIsNotFromZeroToOne() async {
        #expect(await Reading.findings(in: [.book(id: "1", page: 40)]) == [])
        #expect(
            await Reading.findings(in: [.book(id: "1", page: 140)])
                == ["The place leaves out \"progress\" of the route \"book\": an archive cannot hold it."])
    }
}
