import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// The windows of an iPad or a Mac, which share no place.
@MainActor
struct WindowSceneTests {
    /// A window of the library, and what the system remembers of it.
    @MainActor
    final class Window {
        let window: ValueWindow<[Route]>
        private(set) var memory: String

        init(_ device: VirtualDevice, _ memory: String? = nil) {
            window = device.window()
            self.memory = window.place.open(memory)
        }

        var scene: String { window.place.scene.name }
        var path: [Route] { window.navigator.path }

        func launch() async { await window.launch(showing: []) }
        func go(to id: String) { window.note([.book(id)]) }
    }

    let service: TestService
    let pad: VirtualDevice

    init() async throws {
        service = try await TestService()
        pad = service.device(.pad)
    }

    private func window(_ memory: String? = nil) async -> Window {
        let window = Window(pad, memory)
        await window.launch()
        return window
    }

    @Test func eachWindowComesBackAtItsOwnPlace() async throws {
        let first = await window()
        let second = await window()
        first.go(to: "1")
        second.go(to: "2")
        try await pad.placekeeper.flush()
        await service.advance(by: 60)
        pad.kill()
        // The system connects the windows in any order.
        let secondAgain = await window(second.memory)
        let firstAgain = await window(first.memory)
        #expect(firstAgain.path == [.book("1")])
        #expect(secondAgain.path == [.book("2")])
        #expect([firstAgain.scene, secondAgain.scene] == ["main", "main-2"])
    }

    @Test func theFirstWindowHasTheSceneOfThePhone() async throws {
        let first = await window()
        _ = await window()
        let phone = service.device(.phone)
        try await phone.placekeeper.link(pad.placekeeper.linkCode().code)
        first.go(to: "3")
        try await pad.placekeeper.flush()
        let served = await phone.placekeeper.scene().launch().restore
        #expect(served?.archive.place?.steps.last?.title == "Book 3")
    }

    @Test func aNewWindowStartsFreshAfterAnotherWasClosed() async throws {
        let first = await window()
        let closed = Window(pad)
        await closed.launch()
        closed.go(to: "2")
        try await pad.placekeeper.flush()
        pad.kill()
        let again = await window(first.memory)
        let new = await window()
        #expect(again.scene == "main")
        #expect(new.scene == "main-2")
        #expect(new.path == [])
        new.go(to: "3")
        try await pad.placekeeper.flush()
        pad.kill()
        #expect(await window(new.memory).path == [.book("3")])
    }

    @Test func viewsOfOneWindowHaveOneScene() async throws {
        let window = await window()
        // The view got another identity, for example after a log-in screen.
        #expect(await self.window(window.memory).scene == "main")
        #expect(await self.window().scene == "main-2")
    }

    @Test func aClosedWindowGivesItsNameBack() async throws {
        var first: Window? = await window()
        #expect(first?.scene == "main")
        first = nil
        await service.settle()
        #expect(await window().scene == "main")
    }

    @Test func keepsItsSceneWhenItIsOpenedAgain() async throws {
        let window = await window()
        #expect(window.window.place.open(nil) == window.memory)
        #expect(window.window.place.role == "main")
    }

    @Test(arguments: [
        (nil, [], "main", false), (nil, ["main"], "main-2", true), (nil, ["main", "main-2"], "main-3", true),
        (nil, ["main-2"], "main", false), ("main-2", ["main"], "main-2", false), ("main-2", [], "main-2", false),
        ("main", ["main", "main-2"], "main-3", true), ("reader", ["main"], "reader", false),
    ])
    func namesTheSceneOfAWindow(remembered: String?, taken: [String], name: String, isFresh: Bool) {
        let given = WindowNames.name("main", remembered: remembered, taken: Set(taken))
        #expect(given.text == name)
        #expect(given.isFresh == isFresh)
    }

    @Test func namesOfLongRolesStayValid() {
        let role = String(repeating: "r", count: 64)
        #expect(WindowNames.name(role, remembered: nil, taken: [role]).text.count == 62)
    }

    @Test(arguments: ["", "main", "/", "main/", "a/b/c"])
    func forgetsATextThatIsNotItsOwn(text: String) async {
        #expect(Window(pad, text).scene == "main")
    }

    @Test func furtherWindowStartsFreshAlsoAfterASignOut() async throws {
        try await pad.placekeeper.signIn { TestService.signInToken(of: "ann") }
        let first = await window()
        var second: Window? = await window()
        second?.go(to: "2")
        try await pad.placekeeper.flush()
        await service.advance(by: 60)
        second = nil
        try await pad.placekeeper.signOut(unsent: .send(within: .seconds(5)))
        try await pad.placekeeper.signIn { TestService.signInToken(of: "ann") }
        await settle(service)
        let third = await window()
        #expect(third.scene == "main-2" && third.path.isEmpty)
        #expect(first.scene == "main")
    }
}
