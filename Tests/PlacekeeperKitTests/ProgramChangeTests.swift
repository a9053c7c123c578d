import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// Changes that the app makes by itself, such as its first selection, beside the person's.
@MainActor
final class ProgramChangeTests: LinkedDevicesTests {
    let shelf = Shelf("pad-")

    override init() async throws {
        try await super.init()
        let window = phone.window()
        await window.launch(showing: [])
        window.note([.book("2")])
        try await phone.placekeeper.flush()
        await service.advance(by: 60)
    }

    private func padWindow() -> ValueWindow<[Route]> {
        pad.window(shelf)
    }

    /// Begins a launch of the pad, and returns while the launch waits for the service.
    private func launching(_ window: ValueWindow<[Route]>) async -> Task<Void, Never> {
        pad.network.fault = .slow(.seconds(0.5))
        let launch = Task { await window.launch(showing: []) }
        await settle(service)
        return launch
    }

    private func end(_ launch: Task<Void, Never>) async {
        await service.advancingClock { await launch.value }
        pad.network.repair()
        await service.settle()
    }

    /// The titles that the phone is offered at its next launch.
    private func offeredToThePhone() async throws -> [String]? {
        try await pad.placekeeper.flush()
        phone.kill()
        return await phone.placekeeper.scene().launch().offer?.place.titles
    }

    @Test func restoresOverWhatTheAppSetsWhileTheLaunchWaits() async throws {
        let window = padWindow()
        let launch = await launching(window)
        // .task { books = await load(); path = [first]; selection = first; filter = "" }
        window.note([.search(text: "first")])
        window.place.setValue("", forKey: "filter")
        window.place.setIdentifiers(["pad-1"], of: shelf.list, forKey: "selection")
        window.place.setIdentifiers(["pad-1"], of: shelf.list, role: .firstVisible, forKey: "scroll")
        await end(launch)
        #expect(window.restoredValue() == [.book("pad-2")])
        #expect(try await offeredToThePhone() == nil)
        #expect(try await pad.placekeeper.scene().history().map(\.device.isThisDevice) == [false])
    }

    @Test func restoresOverWhatTheAppSetsWhileTheRestoreWaits() async throws {
        (shelf.isbns, shelf.stored) = (["1"], ["2"])
        let window = padWindow()
        shelf.whileLoading = { window.note([.search(text: "first")]) }
        await window.launch(showing: [])
        #expect(window.restoredValue() == [.book("pad-2")])
    }

    @Test func offersTheStateThatThePersonsWorkOvertook() async throws {
        let window = padWindow()
        let launch = await launching(window)
        window.place.noteInput()
        window.note([.search(text: "own")])
        await end(launch)
        #expect(window.restoredValue() == [.search(text: "own")])
        let result = await window.place.launch()
        #expect(result.restore == nil)
        #expect(result.reason.code == .overtaken)
        #expect(result.offer?.place.titles == ["Library", "Book 2"])
        #expect(try await offeredToThePhone() == ["Library", "search"])

        // The work is sent and is the newest place. The card stays.
        let presenter = OfferPresenter(window.place)
        let following = Task { await presenter.follow() }
        await settle(service)
        #expect(presenter.card != nil)
        await service.advance(by: 5)
        #expect(presenter.card?.offer.place.titles == ["Library", "Book 2"])
        await presenter.restore()
        #expect(window.restoredValue() == [.book("pad-2")])
        #expect(presenter.card == nil)
        following.cancel()
    }

    @Test func offersThisDevicesOwnStateAfterALink() async throws {
        let first = padWindow()
        await first.launch(showing: [])
        first.note([.book("pad-1")])
        try await pad.placekeeper.flush()
        pad.kill()
        let window = padWindow()
        await window.launch(showing: [.search(text: "link")])
        let offer = try #require(await window.place.launch().offer)
        #expect(offer.place.device.isThisDevice)
        #expect(PlaceOffer(offer, OfferPresenter(window.place)).deviceName == nil)
        try await pad.placekeeper.flush()
        try await window.place.take(offer)
        #expect(window.restoredValue() == [.book("pad-1")])
    }

    @Test func typingWhileTheLaunchWaitsIsWork() async throws {
        let window = padWindow()
        let launch = await launching(window)
        window.place.setValue("sea", forKey: "draft", isInteraction: true)
        await end(launch)
        #expect(window.place.value(forKey: "draft") == "sea")
        #expect(await window.place.launch().reason.code == .overtaken)
    }

    @Test func keepsWhatThePersonTypesDuringARestore() async throws {
        (shelf.isbns, shelf.stored) = (["1"], ["2"])
        let window = padWindow()
        shelf.whileLoading = { window.place.setValue("sea", forKey: "draft", isInteraction: true) }
        await window.launch(showing: [])
        #expect(window.restoredValue() == [.book("pad-2")])
        try await pad.placekeeper.flush()
        #expect(try await pad.placekeeper.scene().history().first?.device.isThisDevice == true)
    }

    /// The adapter sees each touch, so a change without one is not the person's.
    @Test func afterTheLaunchOnlyAWindowThatThePersonTouchesWorks() async throws {
        let window = padWindow()
        window.place.seesInput = { true }
        await window.launch(showing: [])
        window.note(window.restoredValue())
        await service.advance(by: 60)
        window.note([.search(text: "first")])
        await service.advance(by: 60)
        #expect(try await offeredToThePhone() == nil)
        window.place.noteInput()
        window.note([.search(text: "own")])
        #expect(try await offeredToThePhone() == ["Library", "search"])
    }

    /// The first screen after loading is no work, also on a device that has nothing to restore.
    @Test func firstScreenOfANewDeviceReplacesNothing() async throws {
        let other = service.device(.phone)
        let window = other.window()
        window.place.seesInput = { true }
        await window.launch(showing: [])
        await service.advance(by: 1)
        window.note([.search(text: "first")])
        await service.advance(by: 1)
        try await other.placekeeper.link(phone.placekeeper.linkCode().code)
        try await other.placekeeper.flush()
        #expect(try await offeredToThePhone() == nil)
    }

    @Test func touchBeforeTheAppWentToTheBackgroundProvesNothingLater() async throws {
        let window = padWindow()
        window.place.seesInput = { true }
        await window.launch(showing: [])
        window.place.noteInput()
        window.leave(isBackground: false)
        #expect(window.place.isPersonsTurn)
        window.leave(isBackground: true)
        #expect(!window.place.isPersonsTurn)
    }

    @Test func assistiveTechnologyWithoutTouchesWorks() async throws {
        let window = padWindow()
        window.place.seesInput = { false }
        #expect(!window.place.isPersonsTurn)
        await window.launch(showing: [])
        window.note([.search(text: "own")])
        #expect(try await offeredToThePhone() == ["Library", "search"])
    }

    @Test func appMarksAChangeOfItsOwnUserInterface() async throws {
        let navigator = ValueNavigator<[Route]>(lists: [shelf.list], title: "Library")
        let place = KeptPlace(pad.placekeeper.scene(), navigator: navigator, device: pad.configuration.device)
        place.setNeedsSave(isInteraction: true)
        #expect(await place.launch().reason.code == .overtaken)
    }

    /// The data arrives after the launch: the titles and aliases change, and nothing else.
    @Test func dataThatArrivesIsNoWork() async throws {
        try await useThePad()
        pad.kill()
        let navigator = TitledNavigator()
        let place = KeptPlace(pad.placekeeper.scene("titled"), navigator: navigator, device: pad.configuration.device)
        await place.launch()
        place.save()
        try await pad.placekeeper.flush()
        let other = phone.placekeeper.scene("titled")
        other.save(StateArchive(bundleVersion: "1", idiom: 0, place: Place([.init(screen: "phone", title: "Phone")])))
        try await phone.placekeeper.flush()
        navigator.title = "The title has arrived"
        place.save()
        try await pad.placekeeper.flush()
        let heads = try await pad.placekeeper.places().filter { $0.scene == "titled" && $0.isLatest }
        #expect(heads.map(\.titles) == [["Phone"]])
    }

    private func useThePad() async throws {
        let navigator = TitledNavigator()
        let place = KeptPlace(pad.placekeeper.scene("titled"), navigator: navigator, device: pad.configuration.device)
        await place.launch()
        navigator.title = "Old"
        place.save(isInteraction: true)
        try await pad.placekeeper.flush()
        await service.advance(by: 60)
    }
}

@MainActor
private final class TitledNavigator: PlainNavigator {
    var title: String?
    var placeSteps: [RouteStep] { [RouteStep("only", title: title)] }
    func goToFirstScreen() {}
    func go(to step: PlaceStep) async -> Bool { true }
}
