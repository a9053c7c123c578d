import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

private struct Reading: Codable, Hashable {
    var book: Book.Reference?
}

/// Items as apps have them: some without an ISBN, some that learn it later.
extension OrdinaryUseTests {
    // MARK: - Aliases

    @Test func itemWithAnEmptyUniqueAliasIsNoOtherItem() async throws {
        let (here, there) = (Book(id: "phone-7", isbn: ""), Book(id: "pad-8", isbn: ""))
        phone.placekeeper.scene(Reading.self).save(Reading(book: here.reference), items: [here])
        try await phone.placekeeper.flush()
        let restored = try #require(await pad.placekeeper.scene(Reading.self).restore(items: [there]).value?.book)
        #expect(restored.placeID == nil && [there][restored] == nil)
        #expect(here.storageKey("draft") != there.storageKey("draft"))
        #expect(here.storageKey("draft") != Book(id: "phone-9", isbn: "").storageKey("draft"))
    }

    @Test func referenceThatIsMadeAfterTheAliasArrivedIsSavedWithIt() async throws {
        let window = phone.window()
        let before = window.use([[Book(id: "7", isbn: "")]], title: nil)
        await window.launch(showing: [])
        let after = window.use([[Book(id: "7", isbn: "978")]], title: nil)
        #expect(before != after)
        window.note([.book("7")])
        #expect(window.place.archive().references.map(\.element) == [.init("7", aliases: ["isbn:978"])])
    }

    @Test func aliasThatArrivesAfterItsItemContinuesAWaitingPlace() async throws {
        let book = Book(id: "phone-7", isbn: "978")
        phone.placekeeper.scene([Route].self).save([.book(book.reference), .search(text: "sea")], items: [book])
        try await phone.placekeeper.flush()
        let window = pad.window()
        let before = window.use([[Book(id: "pad-7", isbn: "")]], title: "Library")
        await window.launch(showing: [])
        #expect(window.restoredValue() == [])
        // A view looks again when the stamps of its items change.
        #expect(window.use([[Book(id: "pad-7", isbn: "978")]], title: "Library") != before)
        await window.place.lookAgain()
        #expect(window.restoredValue() == [.book("pad-7"), .search(text: "sea")])
    }

    // MARK: - Registering

    @Test func emptyListDoesNotDeclareItsKindsOfAliases() async throws {
        phone.placekeeper.register([Book]())
        try await phone.placekeeper.flush()
        pad.placekeeper.register(Shelf("pad-").placeItems)
        try await pad.placekeeper.flush()
        #expect(try await declaredAliases(of: "Book") == ["isbn"])
    }

    /// The unique kinds of aliases that the service knows for a list.
    private func declaredAliases(of list: String) async throws -> [String] {
        let body = try JSONEncoder().encode(["app": service.key, "idiom": "phone"])
        let json = [TransportRequest.Field("Content-Type", "application/json")]
        let registered = try await service.answer(
            TransportRequest("POST", "/v1/devices", fields: json, body: [UInt8](body)))
        let token = try JSONDecoder().decode(Registered.self, from: Data(registered.body)).token
        let fields = [TransportRequest.Field("Authorization", "Bearer " + token)]
        let answer = try await service.answer(TransportRequest("GET", "/v1/data-sources/" + list, fields: fields))
        return try JSONDecoder().decode(Declared.self, from: Data(answer.body)).uniqueAliases ?? []
    }

    private struct Registered: Decodable {
        var token: String
    }

    private struct Declared: Decodable {
        var uniqueAliases: [String]?
    }

    // MARK: - Saved forms

    /// The members of a struct have no `CodingKeys`, so a new name loses the saved value.
    @Test func savedFormsReportAnOptionalMemberThatWasRenamed() async throws {
        try await expectReport(Renaming.Search(text: "sea"), later: Renaming.LaterSearch(words: "sea"))
        try await expectReport([Renaming.Search(text: "sea")], later: [Renaming.LaterSearch(words: "sea")])
    }

    private func expectReport<Earlier: Codable, Later: Codable>(
        _ earlier: Earlier, later: Later, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json").path
        await #expect(throws: SavedFormError.self, sourceLocation: location) {
            try await SavedForms(file, from: #filePath, isRecording: true).check(earlier)
        }
        let error = await #expect(throws: SavedFormError.self, sourceLocation: location) {
            try await SavedForms(file, from: #filePath, isRecording: false).check(later)
        }
        let isReported = error?.findings.contains { $0.contains("doesn't restore the saved screen") } == true
        #expect(isReported, "\(error?.findings ?? [])", sourceLocation: location)
    }
}

/// Two versions of an app's types.
private enum Renaming {
    struct Search: Codable, Hashable { var text: String? }
    struct LaterSearch: Codable, Hashable { var words: String? }
}
