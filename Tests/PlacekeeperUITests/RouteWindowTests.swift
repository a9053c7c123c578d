import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperUI

@MainActor
struct RouteWindowTests {
    let service: TestService
    let device: VirtualDevice

    init() async throws {
        service = try await TestService()
        device = service.device(.phone)
    }

    @Test func savesThePathThatThePersonShows() async throws {
        let window = window(Shelf())
        await window.launch(showing: [])
        window.note([.book(id: "1")])
        try await save(window)
        #expect(try await device.placekeeper.scene().history().map(\.titles) == [["Library", "Book 1"]])
    }

    @Test func doesNotSaveThePathThatARestoreShows() async throws {
        try await leave([.book(id: "1"), .book(id: "2")])
        let next = window(Shelf())
        await next.launch(showing: [])
        let restored = next.restoredPath()
        #expect(restored == [.book(id: "1"), .book(id: "2")])
        next.note(restored)
        try await save(next)
        #expect(try await device.placekeeper.scene().history().count == 1)
    }

    @Test func launchesOnce() async throws {
        try await leave([.book(id: "1")])
        let next = window(Shelf())
        await next.launch(showing: [])
        #expect(next.restoredPath() == [.book(id: "1")])
        next.note([])
        await next.launch(showing: [])
        #expect(next.restoredPath() == [])
    }

    @Test func keepsLinkThatWasOpenBeforeTheLaunch() async throws {
        try await leave([.book(id: "1")])
        let next = window(Shelf())
        await next.launch(showing: [.search(text: "link")])
        #expect(next.restoredPath() == [.search(text: "link")])
        try await save(next)
        let titles = try await device.placekeeper.scene().history().map(\.titles)
        #expect(titles == [["Library", "search"], ["Library", "Book 1"]])
    }

    @Test func savesPathOfThePersonWhoNavigatesDuringARestore() async throws {
        try await leave([.book(id: "2")])
        let shelf = Shelf("", ["1"])
        let next = window(shelf)
        shelf.whileLoading = {
            next.place.noteInput()
            next.note([.book(id: "1")])
        }
        await next.launch(showing: [])
        #expect(next.restoredPath() == [.book(id: "1")])
        try await save(next)
        #expect(try await device.placekeeper.scene().history().first?.titles == ["Library", "Book 1"])
    }

    private func window(_ shelf: Shelf) -> RouteWindow<Route> {
        RouteWindow(device.placekeeper.scene(), [shelf], title: "Library", device.options.device, .standard)
    }

    private func leave(_ path: [Route]) async throws {
        let window = window(Shelf())
        await window.launch(showing: [])
        window.note(path)
        try await save(window)
        device.kill()
    }

    private func save(_ window: RouteWindow<Route>) async throws { try await device.placekeeper.flush() }
}
