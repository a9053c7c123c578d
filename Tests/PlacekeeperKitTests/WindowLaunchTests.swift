import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// A launch belongs to its window, and not to the view whose task began it.
@MainActor
struct WindowLaunchTests {
    let service: TestService
    let phone: VirtualDevice
    let shelf = Shelf()

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
        let window = window()
        await window.launch(showing: [])
        window.note([.book("2")])
        try await phone.placekeeper.flush()
        phone.kill()
    }

    private func window() -> ValueWindow<[Route]> { phone.window(shelf) }

    @Test func restoresAlthoughTheTaskOfTheViewIsCanceled() async throws {
        let window = window()
        let task = Task { await window.launch(showing: []) }
        task.cancel()
        await task.value
        #expect(window.navigator.path == [.book("2")])
        #expect(await window.place.launch().reason.code == .ownState)
    }

    @Test func viewThatAppearsAgainGetsTheResult() async throws {
        let window = window()
        phone.network.fault = .slow(.seconds(0.5))
        let first = Task { await window.launch(showing: []) }
        await Task.yield()
        first.cancel()
        let second = Task {
            await window.launch(showing: [])
            return window.missedValue()
        }
        #expect(await service.advancingClock { await second.value } == [.book("2")])
        #expect(window.missedValue() == nil)
        await first.value
    }

    /// The app's data source throws in a canceled task, as a request does.
    @Test func restoresInATaskThatIsNotCanceled() async throws {
        let window = window()
        shelf.isbns = ["1"]
        shelf.whileLoading = { [shelf] in
            if !Task.isCancelled { shelf.isbns = ["1", "2"] }
        }
        let task = Task { await window.launch(showing: []) }
        task.cancel()
        await task.value
        #expect(window.navigator.path == [.book("2")])
    }

    @Test func keepsItsNavigator() async throws {
        let place = KeptPlace(
            phone.placekeeper.scene(), navigator: ValueNavigator<[Route]>(lists: [shelf.list]),
            device: phone.configuration.device)
        await place.launch()
        #expect(place.archive().place?.steps.map(\.screen) == ["root", "book"])
    }

    @Test func releasesTheWindow() async throws {
        weak var navigator: ValueNavigator<[Route]>?
        weak var place: KeptPlace?
        do {
            let window = window()
            await window.launch(showing: [])
            (navigator, place) = (window.navigator, window.place)
        }
        await service.advance(by: 1)
        #expect(navigator == nil)
        #expect(place == nil)
    }

    @Test func sizeClassIsTheLayout() async throws {
        let window = window()
        window.noteLayout(.compact)
        await window.launch(showing: [])
        #expect(window.place.archive().layout == .compact)
        window.noteLayout(.regular)
        #expect(window.place.archive().layout == .regular)
        window.noteLayout(nil)
        #expect(window.place.archive().layout == nil)
    }

    @Test func layoutOfTheAppTakesPrecedence() async throws {
        let window = phone.window(shelf, layout: .regular)
        window.noteLayout(.compact)
        #expect(window.place.archive().layout == .regular)
    }
}
