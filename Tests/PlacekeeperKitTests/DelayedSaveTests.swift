import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperKit

/// Saves that wait for later changes.
@MainActor
struct DelayedSaveTests {
    let service: TestService
    let phone: VirtualDevice
    let shelf = Shelf()
    let navigator: ValueNavigator<[Route]>

    init() async throws {
        navigator = ValueNavigator(lists: [shelf.list], title: "Library")
        service = try await TestService()
        phone = service.device(.phone)
    }

    private func place() async -> KeptPlace {
        let place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
        await place.launch()
        return place
    }

    /// The draft that the next process finds.
    private func draftAfterCrash() async -> String? {
        await service.settle()
        phone.kill()
        return await place().value(forKey: "draft")
    }

    @Test func waitsForTheNextLetter() async throws {
        let place = await place()
        for text in ["s", "se", "sea"] {
            place.setValue(text, forKey: "draft")
            await service.advance(by: 0.09)
            #expect(phone.placekeeper.status.unsentCount == 0)
        }
        await service.advance(by: 0.03)
        #expect(phone.placekeeper.status.unsentCount == 1)
        #expect(await draftAfterCrash() == "sea")
    }

    @Test func savesAgainAndAgainWhileThePersonTypes() async throws {
        let place = await place()
        for count in 1...9 {
            place.setValue(String(repeating: "x", count: count), forKey: "draft")
            await service.advance(by: 0.1)
        }
        #expect(await draftAfterCrash()?.count == 9)
    }

    @Test func waitUntilSavedAndFlushDoNotWait() async throws {
        let place = await place()
        let start = service.clock.seconds
        place.setValue("sea", forKey: "draft")
        try await phone.placekeeper.waitUntilSaved()
        #expect(phone.placekeeper.status.unsentCount == 1)
        place.setValue("seas", forKey: "draft")
        try await phone.placekeeper.flush()
        #expect(service.clock.seconds == start)
        #expect(try await phone.placekeeper.scene().history().count == 1)
        #expect(await draftAfterCrash() == "seas")
    }

    @Test func windowThatGoesToTheBackgroundDoesNotWait() async throws {
        let place = await place()
        place.setValue("sea", forKey: "draft")
        place.save(isInteraction: false)
        #expect(await draftAfterCrash() == "sea")
    }

    @Test func appThatGoesToTheBackgroundDoesNotWait() async throws {
        let place = await place()
        place.setValue("sea", forKey: "draft")
        phone.placekeeper.runDelayedSaves()
        #expect(await draftAfterCrash() == "sea")
    }

    @Test func savesForAWindowThatIsReleased() async throws {
        var place: KeptPlace? = await place()
        place?.setValue("sea", forKey: "draft")
        place = nil
        await service.advance(by: KeptPlace.saveDelay)
        #expect(await draftAfterCrash() == "sea")
    }

    @Test func keepsThePersonsWorkApartFromTheNextPerson() async throws {
        let token = TestService.signInToken(of: "ann")
        try await phone.placekeeper.signIn { token }
        let place = await place()
        place.setValue("sea", forKey: "draft")
        try await phone.placekeeper.signOut(unsent: .send(within: .seconds(5)))
        await service.advance(by: KeptPlace.saveDelay)
        #expect(phone.placekeeper.status.unsentCount == 0)
        try await phone.placekeeper.signIn { token }
        await service.settle()
        _ = await place.launching?.value
        // The restore of the window that launched again has ended well.
        await service.advance(by: 6)
        #expect(await draftAfterCrash() == "sea")
    }

    @Test func savesWhatThePersonDidBeforeAnItemArrives() async throws {
        let earlier = await place()
        navigator.path = [.book("1")]
        earlier.save()
        try await phone.placekeeper.waitUntilSaved()
        phone.kill()
        shelf.isbns = []
        navigator.lists = [shelf.list]
        let place = await place()
        #expect(navigator.path == [])
        place.setValue("sea", forKey: "draft")
        shelf.isbns = ["1"]
        navigator.lists = [shelf.list]
        await place.lookAgain()
        #expect(navigator.path == [.book("1")])
        await service.advance(by: KeptPlace.saveDelay)
        #expect(await draftAfterCrash() == "sea")
    }

    @Test func savesNothingThatTheAppSetBeforeTheLaunch() async throws {
        let earlier = await place()
        earlier.setValue("sea", forKey: "draft")
        try await phone.placekeeper.flush()
        phone.kill()
        let place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
        place.setValue("initial", forKey: "draft")
        await place.launch()
        #expect(place.value(forKey: "draft") == "sea")
        try await phone.placekeeper.flush()
        #expect(try await phone.placekeeper.scene().history().count == 1)
    }

    @Test func savesWhatThePersonDidBeforeARestore() async throws {
        let place = await place()
        place.setValue("sea", forKey: "draft")
        await place.restore(StateArchive(application: ["draft": .string("sky")]), .full)
        #expect(place.value(forKey: "draft") == "sky")
        #expect(await draftAfterCrash() == "sea")
    }
}
