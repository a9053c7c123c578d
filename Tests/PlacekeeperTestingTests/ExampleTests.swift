import PlacekeeperKit
import PlacekeeperTesting
import Testing

/// The example of docs/client.md.
@MainActor
struct ContinueOnPadTests {
    private struct Viewer: Codable, Equatable {
        var album: String
        var photo: Int?
    }

    @Test func padOffersThePhotoOfThePhone() async throws {
        let service = try await TestService()
        let (phone, pad) = try await service.phoneAndPad()

        // The user opens an album on the pad. Then they open a photo on the phone, without a connection.
        pad.placekeeper.scene(Viewer.self).save(Viewer(album: "Lisbon"), title: "Lisbon")
        try await pad.placekeeper.flush()
        await service.advance(by: .seconds(60))
        phone.network.fault = .offline
        phone.placekeeper.scene(Viewer.self).save(Viewer(album: "Lisbon", photo: 28), title: "Tram 28")
        await service.settle()

        // The app is killed on both devices. The phone's connection is slow when the app runs again.
        phone.kill()
        pad.kill()
        phone.network.fault = .slow(.milliseconds(500))
        try await service.advancingClock { try await phone.placekeeper.flush() }

        let scene = pad.placekeeper.scene(Viewer.self)
        let restored = await scene.restore()
        #expect(restored.value == Viewer(album: "Lisbon"))
        #expect(restored.reason.code.rawValue == "other-device")
        let offer = try #require(restored.offer)
        #expect(offer.place.titles == ["Tram 28"])
        #expect(try await scene.restore(offer.place) == Viewer(album: "Lisbon", photo: 28))
    }
}
