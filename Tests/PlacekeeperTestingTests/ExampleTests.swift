import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

/// The example of docs/client.md.
struct ContinueOnPadTests {
    @Test func padOffersThePhotoOfThePhone() async throws {
        let service = try await TestService()
        let phone = service.device(.phone)
        let pad = service.device(.pad)
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)

        // The person reads an album on the pad. Then they open a photo on the phone, without a connection.
        pad.placekeeper.scene().save(album)
        try await pad.placekeeper.flush()
        await service.advance(by: 60)
        phone.network.fault = .offline
        phone.placekeeper.scene().save(photo)
        await service.settle()

        // The app is killed on both devices. The connection of the phone is slow when the app runs again.
        phone.kill()
        pad.kill()
        phone.network.fault = .slow(0.5)
        try await service.advancingClock { try await phone.placekeeper.flush() }

        let launch = await pad.placekeeper.scene().launch()
        #expect(launch.restore?.archive == album)
        let offer = try #require(launch.offer)
        #expect(offer.place.titles == ["Tram 28"])
        #expect(try await pad.placekeeper.scene().take(offer).archive == photo)
    }

    private let album = StateArchive(
        bundleVersion: "1", idiom: 1, place: Place([.init(screen: "album", title: "Lisbon")]))
    private let photo = StateArchive(
        bundleVersion: "1", idiom: 0, place: Place([.init(screen: "photo", title: "Tram 28")]))
}
