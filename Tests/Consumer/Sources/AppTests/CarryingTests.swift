public import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime

/// Tests of an app, without a test library.
public struct CarryingTests {
    /// Creates the tests.
    public init() {}

    /// Carries a state from a phone to a pad, and returns the restored state.
    public func carry(_ archive: StateArchive) async throws -> StateArchive? {
        let service = try await TestService()
        let (phone, pad) = (service.device(.phone), service.device(.pad) { $0.name = "Pad" })
        phone.network.failNext(.lostAnswer)
        phone.placekeeper.scene().save(archive)
        await service.advance(by: 60)
        phone.kill()
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
        pad.network.fault = .slow(0.2)
        return await service.advancingClock { await pad.placekeeper.scene().launch().restore?.archive }
    }

    /// Launches on the main actor, as a test of a view controller does.
    @MainActor public func launchOnMainActor() async throws -> Bool {
        let service = try await TestService()
        let phone = service.device()
        var isFresh = false
        await service.advancingClock { isFresh = await phone.placekeeper.scene().launch().isFresh }
        return isFresh
    }
}
