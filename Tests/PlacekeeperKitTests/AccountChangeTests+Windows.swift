import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// What a window has in memory.
extension AccountChangeTests {
    @Test func draftStaysWithThePersonWhoSignedOut() async throws {
        try await annWrites()
        try await signOut()
        #expect(place.value(String.self, forKey: "draft") == nil)
        await relaunch()
        #expect(isEmpty)
        try await signIn(phone, "ben")
        await relaunch()
        place.setValue("Ben's draft", forKey: "draft")
        try await phone.placekeeper.flush()
        #expect(try await stored(for: "ben") == [["Library"]])
        let other = service.device(.phone)
        try await signIn(other, "ann")
        let annsPlace = KeptPlace(other.placekeeper.scene(), device: other.configuration.device)
        await annsPlace.launch()
        #expect(annsPlace.value(String.self, forKey: "draft") == "Ann's draft")
    }

    @Test(arguments: [false, true])
    func workBeforeTheLaunchStaysWithThePersonWhoSignedOut(navigates: Bool) async throws {
        try await annWrites()
        let next = ValueNavigator<[Route]>(lists: [shelf.list])
        let window = KeptPlace(phone.placekeeper.scene("side"), navigator: next, device: phone.configuration.device)
        if navigates {
            next.path = [.book("2")]
            window.noteNavigation()
        } else {
            window.setValue("Ann's note", forKey: "draft")
        }
        try await signOut()
        await window.launch()
        #expect(next.path == [])
        #expect(window.value(String.self, forKey: "draft") == nil)
        try await signIn(phone, "ben")
        await relaunch(window)
        window.setValue("Ben's note", forKey: "note")
        try await phone.placekeeper.flush()
        let other = service.device(.phone)
        try await signIn(other, "ben")
        let restored = await other.placekeeper.scene("side").launch().restore
        #expect(restored?.archive.place?.values == ["note": .string("Ben's note")])
        #expect(restored?.archive.place?.steps.count == 1)
    }

    @Test func windowShowsThePlaceOfTheNextPerson() async throws {
        let bens = service.device(.phone)
        try await signIn(bens, "ben")
        bens.placekeeper.scene().save(.book("2", draft: "Ben's draft"))
        try await bens.placekeeper.flush()
        try await annWrites()
        try await signOut()
        await relaunch()
        try await signIn(phone, "ben")
        await relaunch()
        #expect(navigator.path == [.book("2")])
        #expect(place.value(forKey: "draft") == "Ben's draft")
    }

    @Test func workBeforeTheSignInGoesAlong() async throws {
        let anns = service.device(.phone)
        try await signIn(anns, "ann")
        anns.placekeeper.scene().save(.book("2", draft: "earlier"))
        try await anns.placekeeper.flush()
        await service.advance(by: 60)
        await place.launch()
        place.setValue("before the sign-in", forKey: "draft")
        try await signIn(phone, "ann")
        await relaunch()
        #expect(place.value(forKey: "draft") == "before the sign-in")
        try await phone.placekeeper.flush()
        let other = service.device(.phone)
        try await signIn(other, "ann")
        let next = KeptPlace(other.placekeeper.scene(), device: other.configuration.device)
        await next.launch()
        #expect(next.value(forKey: "draft") == "before the sign-in")
    }

    @Test func nothingIsRegisteredAfterASignOutUntilSomebodyWorks() async throws {
        try await annWrites()
        try await phone.placekeeper.flush()
        try await signOut()
        await relaunch()
        await service.advance(by: 60)
        #expect(phone.placekeeper.status.account == .signedOut)
        #expect(phone.network.requests.last == "POST /v1/devices/self/sign-out")
        place.setValue("a guest's draft", forKey: "draft")
        await service.advance(by: 60)
        #expect(phone.placekeeper.status.account == .anonymous)
        #expect(try await stored(for: "ann").count == 1)
    }

    @Test func launchOnItsWayIsForTheNextPerson() async throws {
        try await annWrites()
        try await phone.placekeeper.flush()
        phone.network.fault = .slow(.seconds(0.4))
        let next = ValueNavigator<[Route]>(lists: [shelf.list])
        let window = KeptPlace(phone.placekeeper.scene(), navigator: next, device: phone.configuration.device)
        let launch = Task { await window.launch() }
        await Task.yield()
        let leaving = Task { try await signOut() }
        try await service.advancingClock { try await leaving.value }
        phone.network.repair()
        _ = await service.advancingClock { await launch.value }
        await relaunch(window)
        #expect(next.path == [])
        #expect(window.value(String.self, forKey: "draft") == nil)
    }

    @Test func restoreThatIsUnderWayShowsNothingToTheNextPerson() async throws {
        try await annWrites()
        navigator.path = [.book("1"), .book("2")]
        place.save()
        try await phone.placekeeper.flush()
        phone.kill()
        let next = ValueNavigator<[Route]>(lists: [shelf.list], title: "Library")
        let window = KeptPlace(phone.placekeeper.scene(), navigator: next, device: phone.configuration.device)
        let gate = Gate()
        next.lists = [SlowShelf(gate).list]
        let launch = Task { await window.launch() }
        await gate.reached()
        try await signOut()
        gate.open()
        _ = await launch.value
        await relaunch(window)
        #expect(next.path == [])
        #expect(window.value(String.self, forKey: "draft") == nil)
        try await signIn(phone, "ben")
        await relaunch(window)
        window.setValue("Ben's", forKey: "draft")
        try await phone.placekeeper.flush()
        #expect(try await stored(for: "ben") == [["Library"]])
    }

    @Test func placeThatWaitsForAnItemIsForgotten() async throws {
        try await annWrites()
        try await phone.placekeeper.flush()
        phone.kill()
        let next = ValueNavigator<[Route]>(lists: [Shelf("", []).list], title: "Library")
        let window = KeptPlace(phone.placekeeper.scene(), navigator: next, device: phone.configuration.device)
        await window.launch()
        #expect(window.archive().place?.steps.map(\.screen) == ["root", "book"])
        try await signOut()
        await relaunch(window)
        #expect(window.archive().place?.steps.map(\.screen) == ["root"])
        next.lists = [shelf.list]
        await window.lookAgain()
        #expect(next.path == [])
    }

    @Test func letterOfTheLastMomentIsNotSavedForTheNextPerson() async throws {
        try await annWrites()
        phone.network.fault = .slow(.seconds(0.2))
        let leaving = Task { try await signOut() }
        await Task.yield()
        for count in 0..<6 where phone.placekeeper.status.account == .signedIn {
            place.setValue("Ann's letter \(count)", forKey: "draft")
            await service.advance(by: 0.1)
        }
        phone.network.repair()
        try await service.advancingClock { try await leaving.value }
        await relaunch()
        try await signIn(phone, "ben")
        await relaunch()
        await service.advance(by: 10)
        #expect(isEmpty)
        #expect(try await stored(for: "ben") == [])
    }

    @Test func stackThatStillShowsTheOldPathSavesNothing() async throws {
        try await signIn(phone, "ann")
        let window = phone.window(shelf, title: nil)
        await window.launch(showing: [])
        window.note([.book("1")])
        try await signOut()
        // The person taps before the stack has shown the first screen.
        window.note([.book("1"), .book("2")])
        await relaunch(window.place)
        window.note([.book("1"), .book("3")])
        #expect(window.restoredValue() == [])
        window.note([.search(text: "a guest's")])
        #expect(window.place.archive().place?.steps.map(\.screen) == ["root", "search"])
    }

    @Test func activityThatCannotBeShownBringsNoOldPlaceBack() async throws {
        try await annWrites()
        let gate = Gate()
        navigator.lists = [SlowShelf(gate).list]
        var archive = StateArchive.book("9", draft: "")
        archive.place?.steps.removeFirst()
        let activity = PlaceActivity(scene: "main", archive: archive)
        let continuing = Task { await place.continue(activity) }
        await gate.reached()
        try await signOut()
        gate.open()
        #expect(await continuing.value == false)
        await relaunch()
        #expect(isEmpty)
    }
}
