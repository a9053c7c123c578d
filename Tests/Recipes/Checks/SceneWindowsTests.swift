import PlacekeeperKit
import PlacekeeperTesting
import Testing

@MainActor
struct SceneWindowsTests {
    @Test func keepsAPlaceForEachRoleOfAWindow() async throws {
        let devices = try await TwoDevices()
        let phone = [Book(id: "p1", isbn: "978-1"), Book(id: "p2", isbn: "978-2")]
        for (role, book) in [("main", phone[0]), ("reader", phone[1])] {
            let window = window(role, phone, on: devices.phone)
            _ = await window.restore()
            window.stackDidShow([.book(book.reference)])
        }
        try await devices.phone.placekeeper.flush()

        let pad = [Book(id: "q1", isbn: "978-2"), Book(id: "q2", isbn: "978-1")]
        for (role, book) in [("main", pad[1]), ("reader", pad[0])] {
            #expect(await window(role, pad, on: devices.pad).restore() == [.book(book.reference)])
        }
    }

    @Test func savesNothingIfTheStackShowsTheRestoredPlace() async throws {
        let devices = try await TwoDevices()
        let books = [Book(id: "p1", isbn: "978-1")]
        let first = window("main", books, on: devices.phone)
        _ = await first.restore()
        first.stackDidShow([.book(books[0].reference)])
        try await devices.phone.placekeeper.flush()
        devices.phone.kill()

        let next = window("main", books, on: devices.phone)
        next.stackDidShow(try #require(await next.restore()))
        try await devices.phone.placekeeper.flush()
        #expect(try await devices.phone.placekeeper.scene([Route].self).history().count == 1)
    }

    @Test func showsNoRestoredPathIfTheUserNavigatesDuringTheLaunch() async throws {
        let devices = try await TwoDevices()
        let books = [Book(id: "p1", isbn: "978-1")]
        let first = window("main", books, on: devices.phone)
        _ = await first.restore()
        first.stackDidShow([.book(books[0].reference)])
        try await devices.phone.placekeeper.flush()
        devices.phone.kill()

        let next = window("main", books, on: devices.phone)
        async let restored = next.restore()
        next.stackDidShow([.find(text: "sea")])
        #expect(await restored == nil)
        next.stackDidShow([.find(text: "sea"), .book(books[0].reference)])
        try await devices.phone.placekeeper.flush()
        let other = window("main", books, on: devices.pad)
        #expect(await other.restore() == [.find(text: "sea"), .book(books[0].reference)])
    }

    @Test func savesNothingIfTheStackShowsItsFirstScreenBeforeTheLaunch() async throws {
        let devices = try await TwoDevices()
        let books = [Book(id: "p1", isbn: "978-1")]
        let first = window("main", books, on: devices.phone)
        _ = await first.restore()
        first.stackDidShow([.book(books[0].reference)])
        try await devices.phone.placekeeper.flush()
        devices.phone.kill()

        let next = window("main", books, on: devices.phone)
        next.stackDidShow([])
        #expect(await next.restore() == [.book(books[0].reference)])
    }

    private func window(_ role: String, _ books: [Book], on device: VirtualDevice) -> LibraryWindow {
        LibraryWindow(device.placekeeper.scene([Route].self, role), books)
    }
}
