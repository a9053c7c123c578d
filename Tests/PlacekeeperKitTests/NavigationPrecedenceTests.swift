import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperKit

/// The person's navigation from outside the window takes precedence over the scene's state.
@MainActor
struct NavigationPrecedenceTests {
    let service: TestService
    let phone: VirtualDevice
    let shelf = Shelf()
    let navigator: ValueNavigator<[Route]>
    let handoff: PlaceActivity

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
        navigator = ValueNavigator(lists: [shelf.list], title: "Library")
        let place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
        await place.launch()
        navigator.path = [.search(text: "sky")]
        handoff = PlaceActivity(scene: "main", archive: place.archive())
        navigator.path = [.book("1")]
        place.save()
        try await phone.placekeeper.flush()
        phone.kill()
        await service.advance(by: 60)
        navigator.path = []
    }

    private func place() -> KeptPlace {
        KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
    }

    /// The path that the next process restores.
    private func pathAfterCrash() async throws -> [Route] {
        await service.advance(by: KeptPlace.saveDelay)
        phone.kill()
        navigator.path = []
        await place().launch()
        return navigator.path
    }

    @Test func continuesAnActivityWhileTheLaunchIsInProgress() async throws {
        phone.network.fault = .offline
        let place = place()
        let launching = Task { await place.launch() }
        #expect(await place.continue(handoff))
        _ = await launching.value
        #expect(navigator.path == [.search(text: "sky")])
        #expect(try await pathAfterCrash() == [.search(text: "sky")])
    }

    @Test func restoresTheStateIfTheActivityHasNoPlace() async throws {
        let place = place()
        #expect(await place.continue(PlaceActivity(scene: "main")) == false)
        await place.launch()
        #expect(navigator.path == [.book("1")])
    }

    @Test func showsAndSavesAnActivityThatComesLater() async throws {
        let place = place()
        await place.launch()
        #expect(navigator.path == [.book("1")])
        #expect(await place.continue(handoff))
        #expect(navigator.path == [.search(text: "sky")])
        #expect(try await pathAfterCrash() == [.search(text: "sky")])
    }

    @Test func showsAnActivityThatComesDuringTheLaunch() async throws {
        let place = place()
        let launch = Task { await place.launch() }
        await Task.yield()
        #expect(await place.continue(handoff))
        _ = await launch.value
        #expect(navigator.path == [.search(text: "sky")])
        #expect(try await pathAfterCrash() == [.search(text: "sky")])
    }

    @Test func showsAnActivityThatComesDuringARestore() async throws {
        let place = place()
        var continued: Task<Bool, Never>?
        // The book has not arrived, so the list is asked to load it.
        shelf.isbns = ["2"]
        navigator.lists = [shelf.list]
        let handoff = handoff
        shelf.whileLoading = { continued = Task { await place.continue(handoff) } }
        await place.launch()
        shelf.whileLoading = nil
        #expect(await continued?.value == true)
        #expect(navigator.path == [.search(text: "sky")])
        #expect(try await pathAfterCrash() == [.search(text: "sky")])
    }

    @Test func restoresOneStateAfterTheOther() async throws {
        let app = GatedNavigator()
        let place = KeptPlace(phone.placekeeper.scene(), navigator: app, device: phone.configuration.device)
        let launch = Task { await place.launch() }
        for await _ in app.entered.stream { break }
        let handoff = handoff
        let continued = Task { await place.continue(handoff) }
        await Task.yield()
        app.gate?.resume()
        _ = await (launch.value, continued.value)
        #expect(app.screens == ["root", "search"])
    }

    @Test func restoresNothingIfThePersonNavigatedBeforeTheLaunch() async throws {
        let place = place()
        place.noteNavigation()
        await place.launch()
        #expect(navigator.path == [])
    }

    @Test func restoresNothingOverANotificationThatArrivesDuringTheLaunch() async throws {
        let place = place()
        let launch = Task { await place.launch() }
        await Task.yield()
        // The app goes to the place of the notification later, when it has loaded the item.
        place.noteNavigation()
        _ = await launch.value
        #expect(navigator.path == [])
        navigator.path = [.book("2")]
        place.setNeedsSave()
        #expect(try await pathAfterCrash() == [.book("2")])
    }

    @Test func restoreGoesToNoFurtherScreenAfterTheNavigation() async throws {
        let app = SlowNavigator()
        let place = KeptPlace(phone.placekeeper.scene(), navigator: app, device: phone.configuration.device)
        app.whileLoading = { [weak app] in
            app?.screens = ["notification"]
            place.noteNavigation()
        }
        let launch = await place.launch()
        #expect(launch.reason.code == .ownState)
        #expect(app.screens == ["notification"])
        try await phone.placekeeper.flush()
        #expect(try await phone.placekeeper.scene().history().first?.titles == ["notification"])
    }

    @Test func notesThePersonsNavigationAsAnInteraction() async throws {
        let place = place()
        await place.launch()
        place.noteNavigation()
        // The state is the restored one, so nothing is saved, but a later state is the person's work.
        await service.settle()
        let work = StateArchive(bundleVersion: "1", idiom: 0, place: Place([.init(screen: "work")]))
        phone.placekeeper.scene().save(work, interaction: .viewing)
        try await phone.placekeeper.flush()
        phone.kill()
        #expect(await phone.placekeeper.scene().launch().restore?.archive.place?.steps.map(\.screen) == ["work"])
    }
}

/// A navigator that does not notice that the person navigates while it loads a screen.
@MainActor
private final class SlowNavigator: PlainNavigator {
    var screens: [String] = []
    var whileLoading: (() -> Void)?

    var placeSteps: [RouteStep] { screens.map { RouteStep($0, title: $0) } }
    func goToFirstScreen() { screens = [] }
    func go(to step: PlaceStep) async -> Bool {
        if let whileLoading {
            self.whileLoading = nil
            whileLoading()
            return true
        }
        screens.append(step.screen)
        return true
    }
}

/// A navigator that waits before it goes to its first book.
@MainActor
private final class GatedNavigator: PlainNavigator {
    var screens: [String] = []
    var gate: CheckedContinuation<Void, Never>?
    let entered = AsyncStream<Void>.makeStream()

    var placeSteps: [RouteStep] { screens.map { RouteStep($0) } }
    func goToFirstScreen() { screens = [] }
    func go(to step: PlaceStep) async -> Bool {
        if step.screen == "book", gate == nil {
            entered.continuation.yield()
            await withCheckedContinuation { gate = $0 }
        }
        screens.append(step.screen)
        return true
    }
}
