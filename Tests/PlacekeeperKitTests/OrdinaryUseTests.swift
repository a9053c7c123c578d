import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// The whole state of an app's window.
private struct Reading: Codable, Hashable {
    var book: Book.Reference?
    var page = 0
    var note: String?
}

/// A song whose title several songs may have.
private struct Song: Identifiable, PlaceItem {
    let id: String
    let title: String
    var placeAliases: [ItemAlias] { [ItemAlias("title", title)] }
}

private struct Playlist: Codable, Hashable {
    var songs: [Song.Reference] = []
}

/// A screen of a form.
private enum Form: Codable, Hashable {
    case password(String)
    case fields([Field: String])

    enum Field: String, Codable { case name, password }
}

/// A screen that isn't a case of an enum.
private struct Page: Codable, Hashable {
    var number: Int?
    var text: String?
}

/// Windows and scenes as an app uses them every day, on a phone and a pad of one person.
@MainActor
final class OrdinaryUseTests: LinkedDevicesTests {
    private let books = (phone: Shelf("phone-").placeItems, pad: Shelf("pad-").placeItems)

    private func window<Value: Codable & Equatable>(
        _ device: VirtualDevice, showing value: Value, items: any ItemSource...
    ) -> ValueWindow<Value> {
        let window = ValueWindow(device.placekeeper.scene(), showing: value, device: device.configuration.device)
        _ = window.use(items, title: nil)
        return window
    }

    private func signIn(_ device: VirtualDevice, _ name: String) async throws {
        try await device.placekeeper.signIn { TestService.signInToken(of: name) }
    }

    /// The bytes of a window's state, as text.
    private func savedText<Value>(_ window: ValueWindow<Value>) throws -> String {
        let bytes = try window.place.archiveToSave().archive.encoded()
        return String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x20 }, as: UTF8.self)
    }

    /// The phone reads the second book. The pad starts without books.
    private func padWaits() async throws -> ValueWindow<Reading> {
        phone.placekeeper.scene(Reading.self).save(Reading(book: books.phone[1].reference, page: 7), items: books.phone)
        try await phone.placekeeper.flush()
        let window = window(pad, showing: Reading(), items: [Book]())
        await window.launch(showing: Reading())
        #expect(window.restoredValue().page == 7 && window.restoredValue().book?.placeID == nil)
        return window
    }

    private func itemsArrive<Value>(in window: ValueWindow<Value>) async {
        _ = window.use([books.pad], title: nil)
        await window.place.lookAgain()
    }

    // MARK: - Accounts

    @Test func viewThatIsMadeAgainShowsNothingOfTheAccountBefore() async throws {
        let shared = service.device(.phone)
        try await signIn(shared, "ann")
        let first = window(shared, showing: Reading(), items: books.phone)
        await first.launch(showing: Reading())
        let anns = Reading(book: books.phone[0].reference, page: 3, note: "Ann's note")
        first.note(anns)
        try await shared.placekeeper.flush()
        // The view that owns the state outlives the view with `keepsPlace`.
        let again = window(shared, showing: anns, items: books.phone)
        await again.launch(showing: anns)
        #expect(again.restoredValue() == anns)
        try await shared.placekeeper.signOut(unsent: .send(within: .seconds(5)))
        await settle(service)
        #expect(again.restoredValue() == Reading())
        try await signIn(shared, "ben")
        await settle(service)
        _ = await again.place.launch()
        #expect(again.restoredValue() == Reading())
        again.note(Reading(page: 1))
        try await shared.placekeeper.flush()
        #expect(try !savedText(again).contains("Ann"))
        let bens = service.device(.phone)
        try await signIn(bens, "ben")
        #expect(await bens.placekeeper.scene(Reading.self).restore(items: books.phone).value == Reading(page: 1))
    }

    // MARK: - Large states

    @Test func savesRestoresAndSendsAStateWithHundredsOfItemsWithoutUniqueAliases() async throws {
        let here = (0..<500).map { Song(id: "phone-\($0)", title: "Song \($0)") }
        let there = (0..<500).map { Song(id: "pad-\($0)", title: "Song \($0)") }
        phone.placekeeper.scene(Playlist.self).save(Playlist(songs: here.map(\.reference)), items: here)
        try await phone.placekeeper.flush()
        #expect(phone.placekeeper.status.omissions.isEmpty && phone.placekeeper.status.unsentCount == 0)
        let onPad = await pad.placekeeper.scene(Playlist.self).restore(items: there).value
        #expect(onPad?.songs.map(\.placeID) == there.map(\.id))
        phone.kill()
        phone.network.fault = .offline
        let next = phone.placekeeper.scene(Playlist.self)
        let own = await service.advancingClock { await next.restore(items: here).value }
        #expect(own?.songs.map(\.placeID) == here.map(\.id))
    }

    @Test func stateWhoseItemsAreTooManyToSendStaysOnItsDevice() async throws {
        struct Marked: Codable { var books: [Book.Reference] = [] }
        let books = (0..<8000).map { Book(id: "phone-\($0)", isbn: "978-\($0)") }
        phone.placekeeper.scene(Marked.self).save(Marked(books: books.map(\.reference)), items: books, title: "Marked")
        try await phone.placekeeper.flush()
        phone.kill()
        let restored = await phone.placekeeper.scene(Marked.self).restore(items: books).value
        #expect(restored?.books == books.map(\.reference))
        #expect(try await phone.placekeeper.places().map(\.titles) == [["Marked"]])
    }

    @Test func restoresAllScreensOfALargePathOnItsOwnDevice() async throws {
        let path: [Route] = [
            .search(text: String(repeating: "x", count: 130_000)), .search(text: String(repeating: "y", count: 80_000)),
            .book(books.phone[0].reference),
        ]
        phone.placekeeper.scene([Route].self).save(path, items: books.phone)
        try await phone.placekeeper.flush()
        phone.kill()
        #expect(await phone.placekeeper.scene([Route].self).restore(items: books.phone).value == path)
    }

    @Test func itemsThatDoNotFitIntoThePlaceComeBackOnTheirOwnDevice() async throws {
        let chosen = books.phone.map(\.reference)
        let first = window(phone, showing: [Route](), items: books.phone)
        await first.launch(showing: [])
        first.place.setValue(chosen, forKey: "chosen")
        first.place.setValue(String(repeating: "x", count: 131_000), forKey: "draft")
        first.place.save()
        #expect(first.place.omittedKeys == ["chosen"])
        try await phone.placekeeper.flush()
        phone.kill()
        let next = window(phone, showing: [Route](), items: books.phone)
        await next.launch(showing: [])
        #expect(next.place.value(forKey: "chosen") == chosen)
        #expect(next.place.value(String.self, forKey: "draft")?.count == 131_000)
    }

    // MARK: - Secrets

    @Test(arguments: [[Form.password("hunter2")], [.fields([.name: "ann", .password: "hunter2"])]])
    private func savesNoSecretOfAPath(path: [Form]) async throws {
        let window = window(phone, showing: [Form]())
        await window.launch(showing: [])
        window.note(path)
        #expect(try !savedText(window).contains("hunter2"))
    }

    @Test func savesNoSecretOfADictionaryInAValue() async throws {
        let window = window(phone, showing: [Form]())
        await window.launch(showing: [])
        window.place.setValue([Form.Field.name: "ann", .password: "hunter2"], forKey: "fields")
        let saved = try savedText(window)
        #expect(saved.contains("ann") && !saved.contains("hunter2"))
    }

    // MARK: - Waiting for items

    @Test func draftThatIsTypedWhileAnItemIsMissingIsSavedAlthoughTheItemArrives() async throws {
        let window = try await padWaits()
        window.place.noteInput()
        window.place.setValue("Call me", forKey: "draft")
        await itemsArrive(in: window)
        #expect(window.restoredValue().book == books.pad[1].reference)
        await service.advance(by: .seconds(5))
        pad.kill()
        let next = self.window(pad, showing: Reading(), items: books.pad)
        await next.launch(showing: Reading())
        #expect(next.place.value(forKey: "draft") == "Call me")
        #expect(next.restoredValue() == Reading(book: books.pad[1].reference, page: 7))
    }

    @Test(arguments: [false, true])
    func referenceOfAStructFindsItsItemOnceItHasArrived(changesPage: Bool) async throws {
        let window = try await padWaits()
        if changesPage {
            var reading = window.restoredValue()
            reading.page = 9
            window.place.noteInput()
            window.note(reading)
        }
        await itemsArrive(in: window)
        #expect(window.restoredValue() == Reading(book: books.pad[1].reference, page: changesPage ? 9 : 7))
        #expect(window.restoredValue().book?.placeID == "pad-2")
        // What the app shows now isn't another change by the user.
        window.note(window.restoredValue())
        try await pad.placekeeper.flush()
        phone.kill()
        let offered = await phone.placekeeper.scene(Reading.self).restore(items: books.phone).offer
        #expect((offered != nil) == changesPage)
    }

    /// The pad waits at the first screen. The user goes to another screen and comes back.
    @Test func windowThatTheUserUsedElsewhereWaitsNoMore() async throws {
        phone.placekeeper.scene([Route].self).save([.book(books.phone[1].reference)], items: books.phone)
        try await phone.placekeeper.flush()
        let window = window(pad, showing: [Route](), items: [Book]())
        await window.launch(showing: [])
        #expect(window.place.archive().place?.steps.map(\.screen) == ["root", "book"])
        for path in [[.search(text: "sea")], [Route]()] {
            window.note(path)
            await service.advance(by: .seconds(1))
        }
        #expect(window.place.archive().place?.steps.map(\.screen) == ["root"])
        await itemsArrive(in: window)
        #expect(window.restoredValue() == [])
        try await pad.placekeeper.flush()
        pad.kill()
        #expect(await pad.placekeeper.scene([Route].self).restore(items: books.pad).value == [])
    }

    @Test func sceneThatTheUserUsedElsewhereWaitsNoMore() async throws {
        phone.placekeeper.scene([Route].self).save([.book(books.phone[1].reference)], items: books.phone)
        try await phone.placekeeper.flush()
        let here = pad.placekeeper.scene([Route].self)
        #expect(await here.restore(items: [Book]()).value == [])
        for path in [[.search(text: "sea")], [Route]()] { here.save(path, items: books.pad) }
        try await pad.placekeeper.flush()
        pad.kill()
        #expect(await pad.placekeeper.scene([Route].self).restore(items: books.pad).value == [])
    }

    /// The list has changed when the request for the item returns nothing.
    @Test(arguments: [false, true])
    func pathContinuesWithItemsThatArriveWhileOneIsLoaded(isNoted: Bool) async throws {
        let path: [Route] = [.book("1"), .book("2"), .search(text: "sea")]
        let first = phone.window()
        await first.launch(showing: [])
        first.note(path)
        try await phone.placekeeper.flush()
        phone.kill()
        let loading = LoadingShelf()
        let next = window(phone, showing: [Route](), items: loading)
        loading.whileLoading = {
            guard loading.isbns.isEmpty else { return }
            loading.isbns = ["1", "2"]
            _ = next.use([loading], title: nil)
            if isNoted { Task { await next.place.lookAgain() } }
        }
        await next.launch(showing: [])
        await settle(service)
        #expect(next.restoredValue() == path)
    }

    // MARK: - Launches

    @Test func structThatTheAppSetsBeforeTheLaunchReplacesNoNewerWork() async throws {
        let works = Reading(book: books.phone[1].reference, page: 7)
        phone.placekeeper.scene(Reading.self).save(works, items: books.phone)
        try await phone.placekeeper.flush()
        await service.advance(by: .seconds(60))
        let window = window(pad, showing: Reading(), items: books.pad)
        await window.launch(showing: Reading(page: 1))
        #expect(window.restoredValue() == Reading(book: books.pad[1].reference, page: 7))
        try await pad.placekeeper.flush()
        phone.kill()
        let again = await phone.placekeeper.scene(Reading.self).restore(items: books.phone)
        #expect(again.value == works && again.offer == nil)
    }

    @Test func structThatTheAppSetsBeforeTheLaunchLeavesNewerWorkToOffer() async throws {
        pad.placekeeper.scene(Reading.self).save(Reading(page: 2), items: books.pad)
        try await pad.placekeeper.flush()
        await service.advance(by: .seconds(60))
        let works = Reading(book: books.phone[1].reference, page: 7)
        phone.placekeeper.scene(Reading.self).save(works, items: books.phone)
        try await phone.placekeeper.flush()
        pad.kill()
        let window = window(pad, showing: Reading(), items: books.pad)
        await window.launch(showing: Reading(page: 1))
        #expect(window.restoredValue() == Reading(page: 2))
        let offer = try #require(await window.place.launch().offer)
        try await window.place.take(offer)
        #expect(window.restoredValue() == Reading(book: books.pad[1].reference, page: 7))
    }

    // MARK: - Paths

    @Test func pathOfStructsWithoutValuesComesBack() async throws {
        let path = [Page(), Page(number: 1), Page(text: "sea"), Page()]
        phone.placekeeper.scene([Page].self).save(path)
        try await phone.placekeeper.flush()
        #expect(await pad.placekeeper.scene([Page].self).restore().value == path)
        phone.kill()
        #expect(await phone.placekeeper.scene([Page].self).restore().value == path)
    }
}

/// A shelf that has no books until a request for one has been answered.
@MainActor
private final class LoadingShelf: ItemSource {
    var isbns: [String] = []
    var whileLoading: (() -> Void)?

    var placeItems: [Book] { isbns.map { Book(id: $0, isbn: $0) } }
    func item(withPlaceID id: String) async -> Book? {
        whileLoading?()
        return nil
    }
}
