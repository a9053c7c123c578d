import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// What a window advertises to the person's devices nearby.
@MainActor
struct ActivityAdvertiserTests {
    let service: TestService
    let phone: VirtualDevice
    let navigator = ValueNavigator<[Route]>(lists: [Shelf().list], title: "Library")
    let place: KeptPlace

    /// The activity that is current on the device. Nil if there is none.
    @MainActor
    final class Current {
        var activity: PlaceActivity?
        var count = 0
        var titles: [String]? { activity?.titles }
    }
    let current = Current()
    let advertiser: ActivityAdvertiser

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
        place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
        let current = current
        advertiser = ActivityAdvertiser(place) {
            current.activity = $0
            current.count += 1
        }
        place.advertiser = advertiser
    }

    private func go(to id: String) async {
        navigator.path = [.book(id)]
        place.noteNavigation()
        await service.advance(by: KeptPlace.saveDelay)
    }

    @Test func advertisesThePlaceWhileTheWindowIsActive() async {
        await place.launch()
        #expect(current.activity == nil)
        advertiser.isActive = true
        #expect(current.titles == ["Library"])
        await go(to: "1")
        #expect(current.titles == ["Library", "Book 1"])
        advertiser.isActive = false
        #expect(current.activity == nil)
    }

    @Test func advertisesNoValues() async {
        await place.launch()
        place.setValue("a letter", forKey: "draft")
        advertiser.isActive = true
        #expect(current.activity?.archive?.application.isEmpty == true)
    }

    @Test func advertisesNothingBeforeTheLaunchHasEnded() async {
        advertiser.isActive = true
        #expect(current.count == 0)
        await place.launch()
        #expect(current.titles == ["Library"])
    }

    @Test func advertisesTheRestoredPlaceAndNotTheWayToIt() async throws {
        await place.launch()
        await go(to: "1")
        try await phone.placekeeper.flush()
        phone.kill()
        navigator.path = []
        let next = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
        let current = current
        next.advertiser = ActivityAdvertiser(next) {
            current.activity = $0
            current.count += 1
        }
        next.advertiser?.isActive = true
        await next.launch()
        #expect(current.titles == ["Library", "Book 1"])
        #expect(current.count == 1)
    }

    @Test func advertisesNothingOnALockedDevice() async {
        phone.reboot(isLocked: true)
        let locked = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
        let current = current
        locked.advertiser = ActivityAdvertiser(locked) { current.activity = $0 }
        locked.advertiser?.isActive = true
        #expect(await locked.launch().reason.code == .locked)
        #expect(current.activity == nil)
    }

    @Test func isTheCurrentActivityAgainAfterEachChange() async {
        await place.launch()
        advertiser.isActive = true
        await go(to: "1")
        let before = current.count
        // Another window became active beside this one. The person goes on in this window.
        await go(to: "2")
        #expect(current.count == before + 1)
        place.save()
        #expect(current.count == before + 1, "nothing has changed")
    }

    @Test func theActivityLeadsAnotherDeviceToThePlace() async throws {
        await place.launch()
        advertiser.isActive = true
        await go(to: "2")
        let userInfo = try #require(current.activity?.userInfo)
        let pad = service.device(.pad)
        let shelf = Shelf("pad-")
        let there = ValueNavigator<[Route]>(lists: [shelf.list], title: "Library")
        let window = KeptPlace(pad.placekeeper.scene(), navigator: there, device: pad.configuration.device)
        // The system delivers the activity after the window has opened.
        await window.launch()
        let activity = try #require(PlaceActivity(userInfo: userInfo))
        #expect(await window.continue(activity))
        #expect(there.path == [.book("pad-2")])
    }

    @Test func continuesAnActivityThatArrivesBeforeTheLaunch() async throws {
        await place.launch()
        await go(to: "2")
        let handoff = PlaceActivity(scene: "main", archive: place.archive())
        await go(to: "1")
        try await phone.placekeeper.flush()
        phone.kill()
        navigator.path = []
        let next = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
        #expect(await next.continue(handoff))
        await next.launch()
        #expect(navigator.path == [.book("2")])
        try await phone.placekeeper.flush()
        #expect(try await phone.placekeeper.scene().history().first?.titles == ["Library", "Book 2"])
    }
}
