import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperRuntime
import PlacekeeperService
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// The offer of a launch, while the client follows the places of other devices.
final class OfferTests: DeviceTests {
    override init() async throws {
        try await super.init()
        await pad.saveAndFlush("Porto")
        #expect(await pad.link(to: phone).isDone)
        service.clock.advance(by: 60)
        await phone.saveAndFlush("Lisbon")
        service.clock.advance(by: 60)
    }

    /// Saves a state without a place, of an app that is newer than the pad's app.
    private func saveNewerVersion(_ text: String) async {
        var archive = phone.archive(text)
        archive.bundleVersion = "43"
        archive.place = nil
        phone.core.save(archive, in: "main", .now, at: phone.clock.now())
        await phone.flush()
    }

    private func launchAndFollow() async throws -> Placekeeper.Offer {
        let launch = await pad.relaunch()
        pad.core.followOffers(of: "main")
        await pad.settle()
        return try #require(launch.offer)
    }

    /// Reads the places again, as after an event.
    private func hearOfChange() async {
        pad.core.endEvents()
        await pad.settle()
    }

    @Test func offerOfTheLaunchStaysWhileTheHeadMayNotBeRestoredHere() async throws {
        await saveNewerVersion("Faro")
        let offer = try await launchAndFollow()
        #expect(offer.place.titles == ["Lisbon"])
        #expect(pad.core.offer(of: "main") == offer)
        await hearOfChange()
        #expect(pad.core.offer(of: "main") == offer)
        #expect(pad.offers == ["main": offer])
    }

    @Test func offerEndsWhenItsStateMayNotBeRestoredAnyMore() async throws {
        _ = try await launchAndFollow()
        try await service.change {
            $0.stoppedRestores = [
                StoppedRestore(sourceVersion: "42", targetVersion: "42", idiom: "phone", by: .administrator)
            ]
        }
        await hearOfChange()
        #expect(pad.core.offer(of: "main") == nil)
    }

    @Test func viewOnlyCaptureKeepsTheOfferThatIsOlderThanTheHead() async throws {
        await saveNewerVersion("Faro")
        let offer = try await launchAndFollow()
        pad.save("Porto, scrolled", .viewing)
        await hearOfChange()
        await pad.flush()
        await hearOfChange()
        #expect(pad.core.offer(of: "main") == offer)
    }

    @Test func offerOfTheLaunchEndsWithAnotherHead() async throws {
        await saveNewerVersion("Faro")
        _ = try await launchAndFollow()
        service.clock.advance(by: 60)
        await saveNewerVersion("Evora")
        await hearOfChange()
        #expect(pad.core.offer(of: "main") == nil)
        service.clock.advance(by: 60)
        await phone.saveAndFlush("Sintra")
        await hearOfChange()
        #expect(pad.core.offer(of: "main")?.place.titles == ["Sintra"])
    }

    @Test func offerOfTheLaunchEndsWhenThePersonWorksHere() async throws {
        await saveNewerVersion("Faro")
        _ = try await launchAndFollow()
        await pad.saveAndFlush("Braga")
        #expect(pad.core.offer(of: "main") == nil)
    }

    @Test func offerOfTheLaunchEndsWhenItIsTaken() async throws {
        await saveNewerVersion("Faro")
        let offer = try await launchAndFollow()
        #expect(await pad.result(of: .take(offer.place, pad.context)).served?.text == "Lisbon")
        await hearOfChange()
        #expect(pad.core.offer(of: "main") == nil)
    }

    @Test func offerOfThisDevicesOwnStateStays() async throws {
        await pad.saveAndFlush("Braga")
        try await service.setRestoration("offer")
        let offer = try await launchAndFollow()
        #expect(offer.place.titles == ["Braga"])
        await hearOfChange()
        #expect(pad.core.offer(of: "main") == offer)
    }

    @Test func offerEndsWhenAnotherWindowRestoresItsState() async throws {
        await pad.saveAndFlush("Braga")
        try await service.setRestoration("offer")
        _ = try await launchAndFollow()
        try await service.setRestoration("auto")
        #expect(await pad.launch().text == "Braga")
        await hearOfChange()
        #expect(pad.core.offer(of: "main") == nil)
    }

    @Test func noOfferStaysAfterTheOperatorTurnsRestorationOff() async throws {
        await saveNewerVersion("Faro")
        _ = try await launchAndFollow()
        try await service.setRestoration("off")
        pad.core.receiveEvents(
            Array("event: settingsChanged\ndata: {}\n\n".utf8),
            generation: try #require(pad.core.credentials).generation, at: pad.clock.now())
        await pad.settle()
        #expect(pad.core.offer(of: "main") == nil)
    }
}
