import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// A song that its title alone doesn't identify.
private struct Song: Identifiable, Hashable, PlaceItem {
    let id: String
    let title: String
    var placeAliases: [ItemAlias] { [ItemAlias("title", title)] }
}

private struct Playing: Codable, Hashable {
    var song: Song.Reference?
    var book: Book.Reference?
}

@MainActor
struct ItemReferenceTests {
    private let service: TestService
    private let books = Shelf("pad-").placeItems

    init() async throws { service = try await TestService() }

    private func isbn(_ isbn: String) -> Book.Reference { .init(matching: .unique("isbn", isbn)) }

    // MARK: - Values

    @Test func equalsAReferenceToTheSameItemHoweverItWasMade() {
        let reference = books[1].reference
        #expect(reference == Book.Reference(books[1]) && reference == Book.Reference(placeID: "pad-2"))
        #expect(reference.hashValue == Book.Reference(placeID: "pad-2").hashValue)
        #expect(Set([reference, .init(placeID: "pad-2"), .init(placeID: "pad-3")]).count == 2)
        #expect(reference != books[0].reference)
        #expect(reference.placeID == "pad-2")
    }

    /// Two files may have names that differ only in their Unicode normalization form.
    @Test func differsFromAReferenceInAnotherUnicodeForm() {
        let (one, other) = (Book.Reference(placeID: "\u{E9}"), Book.Reference(placeID: "e\u{301}"))
        #expect(one != other)
        let shelf = [Book(id: "e\u{301}", isbn: "1"), Book(id: "\u{E9}", isbn: "2")]
        #expect(shelf[one]?.isbn == "2" && shelf[other]?.isbn == "1")
    }

    @Test func equalsAnotherReferenceThatWaitsForTheSameItem() {
        #expect(isbn("2") == isbn("2") && isbn("2").hashValue == isbn("2").hashValue)
        #expect(isbn("2") != isbn("3"))
        #expect(isbn("2") != Book.Reference(placeID: "pad-2"))
        #expect(Set([isbn("2"), isbn("2"), isbn("3")]).count == 2)
    }

    @Test func findsItsItemInACollection() {
        #expect(books[books[1].reference] == books[1])
        #expect(books[Book.Reference(placeID: "pad-9")] == nil)
        #expect(books[1...][books[2].reference] == books[2])
        #expect(books[1...][books[0].reference] == nil)
        #expect([Book]()[books[0].reference] == nil)
    }

    @Test func findsAnItemByAnAliasOnceTheCollectionHasIt() {
        #expect(isbn("2").placeID == nil)
        #expect(books[isbn("2")] == books[1])
        #expect(books[isbn("9")] == nil)
        #expect(books[Book.Reference(matching: ItemAlias("title", "2"))] == nil)
    }

    @Test func takesTheTextOfAnIdentifierAsItsPlaceID() {
        struct Row: Identifiable, PlaceItem { let id: Int }
        struct Photo: Identifiable, PlaceItem { let id: UUID }
        let id = UUID()
        #expect(Row(id: -3).reference.placeID == "-3")
        #expect(Photo(id: id).reference == .init(placeID: id.uuidString))
        #expect(Row(id: 1).placeAliases == [] && Row(id: 1).placeTitle == nil && !Row.selectsNeighbor)
        #expect(Row.listName == "Row")
    }

    // MARK: - Other coders

    @Test func comesBackFromJSONWithItsAliases() throws {
        let data = try JSONEncoder().encode([books[1].reference])
        #expect(String(decoding: data, as: UTF8.self).contains("isbn:2"))
        let read = try JSONDecoder().decode([Book.Reference].self, from: data)
        #expect(read == [books[1].reference] && read[0].placeID == "pad-2")
    }

    @Test func stillWaitsAfterJSON() throws {
        let read = try JSONDecoder().decode(Book.Reference.self, from: JSONEncoder().encode(isbn("2")))
        #expect(read.placeID == nil)
        #expect(books[read] == books[1])
    }

    /// The saved reference has the identifier of another device, which means another book here.
    @Test func takesNoIdentifierOfAnotherDeviceFromJSON() throws {
        let saved = ModelReference(
            dataSource: "Book", element: .init("pad-3", aliases: ["isbn:2"]), role: .selected)
        var waiting = isbn("2")
        waiting.use = ItemUse(saved: saved)
        #expect(books[waiting] == books[1])
        let read = try JSONDecoder().decode(Book.Reference.self, from: JSONEncoder().encode(waiting))
        #expect(books[read] == books[1])
    }

    @Test func isNotReadFromAReferenceToAnotherList() {
        let item = ItemUse(list: "Song", id: ByteText("1"))
        #expect(ValueSteps.value(Book.Reference.self, of: .reference(0), items: [item]) == nil)
        #expect(ValueSteps.value(Song.Reference.self, of: .reference(0), items: [item])?.placeID == "1")
        #expect(ValueSteps.value(Song.Reference.self, of: .reference(1), items: [item]) == nil)
        #expect(ValueSteps.value(Song.Reference.self, of: .string("1"), items: [item]) == nil)
    }

    // MARK: - Devices

    private func songs(_ prefix: String, _ titles: [String]) -> [Song] {
        titles.enumerated().map { Song(id: "\(prefix)\($0)", title: $1) }
    }

    /// On the pad, two songs have the title "Intro". On the phone, it stands between "Sea" and "Sky".
    @Test(
        arguments: [["Intro", "Sun", "Sea", "Intro", "Sky"], ["Sea", "Intro", "Sky", "Sun", "Intro"]], [true, false])
    func findsOneOfTwoItemsWithOneAliasByItsNeighbors(titles: [String], isRegistered: Bool) async throws {
        let (phone, pad) = try await service.phoneAndPad()
        let here = songs("phone-", ["Moon", "Rain", "Sea", "Intro", "Sky"])
        phone.placekeeper.scene(Playing.self).save(Playing(song: here[3].reference), items: here)
        try await phone.placekeeper.flush()
        let there = songs("pad-", titles)
        if isRegistered {
            phone.placekeeper.register(here)
            pad.placekeeper.register(there)
            try await phone.placekeeper.flush()
            try await pad.placekeeper.flush()
            await service.settle()
        }
        let playing = await pad.placekeeper.scene(Playing.self).restore(items: there).value
        let found = playing?.song.flatMap { there[$0] }
        let right = try there[#require(titles.firstIndex(of: "Sea")) + 1]
        #expect(found == nil || found == right)
        #expect(found == right)
    }

    @Test func findsNeitherOfTwoItemsWithOneAliasWithoutNeighbors() async throws {
        let (phone, pad) = try await service.phoneAndPad()
        let here = songs("phone-", ["Moon", "Intro", "Star"])
        phone.placekeeper.scene(Playing.self).save(Playing(song: here[1].reference))
        try await phone.placekeeper.flush()
        let there = songs("pad-", ["Intro", "Sun", "Intro"])
        let song = await pad.placekeeper.scene(Playing.self).restore(items: there).value?.song
        #expect(song?.placeID == nil)
        #expect(try there[#require(song)] == nil)
    }

    @Test func aWaitingReferenceThatIsSavedAgainReachesTheThirdDevice() async throws {
        let (phone, pad) = try await service.phoneAndPad()
        let mac = service.device(.mac)
        try await mac.placekeeper.link(phone.placekeeper.linkCode().code)
        let here = Shelf("phone-").placeItems
        phone.placekeeper.scene(Playing.self).save(Playing(book: here[1].reference), items: here)
        try await phone.placekeeper.flush()
        await service.advance(by: .seconds(60))

        // The pad doesn't have the book, and saves its state twice.
        let scene = pad.placekeeper.scene(Playing.self)
        var playing = try #require(await scene.restore(items: [Book]()).value)
        #expect(playing.book != nil && playing.book?.placeID == nil)
        for id in ["1", "2"] {
            playing.song = .init(placeID: id)
            scene.save(playing, items: [Book]())
            try await pad.placekeeper.flush()
            await service.advance(by: .seconds(60))
        }

        let there = Shelf("mac-").placeItems
        let arrived = try #require(await mac.placekeeper.scene(Playing.self).restore(items: there).value)
        #expect(arrived.book == there[1].reference)
    }

    @Test func aReferenceByAnAliasReachesAnotherDevice() async throws {
        let (phone, pad) = try await service.phoneAndPad()
        phone.placekeeper.scene(Playing.self).save(Playing(book: isbn("2")))
        try await phone.placekeeper.flush()
        let playing = await pad.placekeeper.scene(Playing.self).restore(items: books).value
        #expect(playing?.book == books[1].reference)
    }
}
