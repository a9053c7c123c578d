import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperKit

@MainActor
struct ValueWindowTests {
    let service: TestService
    let device: VirtualDevice

    init() async throws {
        service = try await TestService()
        device = service.device(.phone)
    }

    @Test func savesThePathThatThePersonShows() async throws {
        let window = device.window()
        await window.launch(showing: [])
        window.note([.book("1")])
        try await device.placekeeper.flush()
        #expect(try await device.placekeeper.scene().history().map(\.titles) == [["Library", "Book 1"]])
    }

    @Test func doesNotSaveThePathThatARestoreShows() async throws {
        try await leave([.book("1"), .book("2")])
        let next = device.window()
        await next.launch(showing: [])
        let restored = next.restoredValue()
        #expect(restored == [.book("1"), .book("2")])
        next.note(restored)
        try await device.placekeeper.flush()
        #expect(try await device.placekeeper.scene().history().count == 1)
    }

    @Test func launchesOnce() async throws {
        try await leave([.book("1")])
        let next = device.window()
        await next.launch(showing: [])
        #expect(next.restoredValue() == [.book("1")])
        next.note([])
        await next.launch(showing: [])
        #expect(next.restoredValue() == [])
    }

    @Test func keepsLinkThatWasOpenBeforeTheLaunch() async throws {
        try await leave([.book("1")])
        let next = device.window()
        await next.launch(showing: [.search(text: "link")])
        #expect(next.restoredValue() == [.search(text: "link")])
        try await device.placekeeper.flush()
        let titles = try await device.placekeeper.scene().history().map(\.titles)
        #expect(titles == [["Library", "search"], ["Library", "Book 1"]])
    }

    @Test func savesPathOfThePersonWhoNavigatesDuringARestore() async throws {
        try await leave([.book("2")])
        let shelf = Shelf("", ["1"])
        let next = device.window(shelf)
        shelf.whileLoading = {
            next.place.noteInput()
            next.note([.book("1")])
        }
        await next.launch(showing: [])
        #expect(next.restoredValue() == [.book("1")])
        try await device.placekeeper.flush()
        #expect(try await device.placekeeper.scene().history().first?.titles == ["Library", "Book 1"])
    }

    /// Other books arrive before the one of the place does.
    @Test func showsAndKeepsTheWholePlaceHoweverItsItemsArrive() async throws {
        try await leave([.book("1"), .book("2"), .search(text: "sea")])
        let shelf = Shelf("", ["1"])
        let next = device.window(shelf)
        await next.launch(showing: [])
        #expect(next.restoredValue() == [.book("1")])
        for isbns in [["0", "1"], ["0", "1", "2"]] {
            shelf.isbns = isbns
            _ = next.use([shelf], title: "Library")
            await next.place.lookAgain()
            #expect(next.place.archive().place?.steps.map(\.screen) == ["root", "book", "book", "search"])
        }
        #expect(next.restoredValue() == [.book("1"), .book("2"), .search(text: "sea")])
    }

    private func leave(_ path: [Route]) async throws {
        let window = device.window()
        await window.launch(showing: [])
        window.note(path)
        try await device.placekeeper.flush()
        device.kill()
    }
}
