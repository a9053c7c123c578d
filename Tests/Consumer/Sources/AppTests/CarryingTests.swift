import PlacekeeperKit
import PlacekeeperTesting

/// Tests of an app, without a test library.
@MainActor
public struct CarryingTests {
    private struct Song: PlaceItem {
        let placeID: String
        let name: String
        var placeAliases: [ItemAlias] { [.unique("name", name)] }
    }

    private struct Listening: Codable {
        var song: Song.Reference
        var seconds: Int
    }

    /// Creates the tests.
    public init() {}

    /// Carries a song from a phone to a pad, which has another identifier for it.
    public func carry() async throws -> Bool {
        let service = try await TestService()
        let (phone, pad) = (service.device(.phone), service.device(.pad) { $0.deviceName = "Pad" })
        phone.network.failNext(.lostAnswer)
        let song = Song(placeID: "phone-7", name: "Tram 28")
        phone.placekeeper.scene(Listening.self).save(Listening(song: song.reference, seconds: 42), items: [song])
        await service.advance(by: .seconds(60))
        phone.kill()
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
        pad.network.fault = .slow(.seconds(0.2))
        let songs = [Song(placeID: "phone-7", name: "Boat"), Song(placeID: "pad-1", name: "Tram 28")]
        let value = await service.advancingClock {
            await pad.placekeeper.scene(Listening.self).restore(items: songs).value
        }
        return value?.song == songs[1].reference && value?.seconds == 42
    }

    /// Launches a device that has no state.
    public func launch() async throws -> Bool {
        let service = try await TestService()
        let phone = service.device()
        return await service.advancingClock {
            let restoration = await phone.placekeeper.scene([Int].self).restore()
            return restoration.value == nil && restoration.offer == nil
        }
    }
}
