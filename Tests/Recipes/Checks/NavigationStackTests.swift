import PlacekeeperKit
import PlacekeeperTesting
import Testing

@MainActor
struct NavigationStackTests {
    @Test func opensTheSameBookUnderThePadsRowKey() async throws {
        let devices = try await TwoDevices()
        let phone = [Book(id: "p1", isbn: "978-1"), Book(id: "p2", isbn: "978-2")]
        try await leave([.find(text: "sea"), .book(phone[1].reference)], phone, on: devices)
        // The pad uses the phone's row key for another book.
        let pad = [Book(id: "p1", isbn: "978-2"), Book(id: "p2", isbn: "978-3")]
        #expect(await path(pad, on: devices.pad) == [.find(text: "sea"), .book(pad[0].reference)])
    }

    @Test func opensNoBookIfTwoHaveTheISBN() async throws {
        let devices = try await TwoDevices()
        let phone = [Book(id: "p2", isbn: "978-2")]
        try await leave([.find(text: "sea"), .book(phone[0].reference)], phone, on: devices)
        let pad = [Book(id: "p1", isbn: "978-2"), Book(id: "p3", isbn: "978-2")]
        #expect(await path(pad, on: devices.pad) == [.find(text: "sea")])
    }

    @Test func opensAScreenThatAnOlderVersionSavedUnderItsEarlierName() async throws {
        let devices = try await TwoDevices()
        devices.phone.placekeeper.scene([Route].self).save([.find(text: "sea")])
        try await devices.phone.placekeeper.flush()
        let scene = devices.pad.placekeeper.scene([NewerRoute].self)
        #expect(await scene.restore().value == [.search(text: "sea")])
    }

    // recipe: renamed screens
    @Test func restoresOlderPlaces() async throws {
        try await SavedForms("Routes.json").check([Route.book(.init(placeID: "1"))], [.find(text: "sea")])
    }
    // end of recipe

    /// The routes of a version in which a case has another name, and the saved name remains.
    private enum NewerRoute: Codable, Hashable {
        case book(Book.Reference)
        case search(text: String)

        enum CodingKeys: String, CodingKey { case book, search = "find" }
    }

    private func path(_ books: [Book], on device: VirtualDevice) async -> [Route]? {
        await device.placekeeper.scene([Route].self).restore(items: books).value
    }

    private func leave(_ path: [Route], _ books: [Book], on devices: TwoDevices) async throws {
        let scene = devices.phone.placekeeper.scene([Route].self)
        _ = await scene.restore(items: books)
        scene.save(path, items: books)
        try await devices.phone.placekeeper.flush()
    }
}
