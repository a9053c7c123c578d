import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// The state of an app, with values that JSON doesn't have.
private struct Reading: Codable, Hashable {
    var book: Book.Reference?
    var page = 0
    var edition = UInt64.max
    var opened = Date(timeIntervalSinceReferenceDate: 817_804_487.123_456_7)
    var cover = Data([0, 255, 1])
    var zoom = 2.0
    var note: [String: String] = ["__proto__": "é", "$date": "\u{0}"]
}

/// A phone and a pad, and a web app of the same person that reads and writes places as JSON.
@MainActor
final class WebPlaceTests: LinkedDevicesTests {
    private let place = "application/vnd.placekeeper.place+json"
    private let books = (phone: Shelf("phone-").placeItems, pad: Shelf("pad-").placeItems)

    /// Registers the web app with a link code, and returns its token.
    private func join() async throws -> String {
        struct Registered: Decodable { var token: String }
        let body = ["app": service.key, "idiom": "mac", "linkCode": try await phone.placekeeper.linkCode().code]
        let answer = try await service.answer(
            TransportRequest(
                "POST", "/v1/devices", fields: [.init("Content-Type", "application/json")],
                body: [UInt8](JSONEncoder().encode(body))))
        return try JSONDecoder().decode(Registered.self, from: Data(answer.body)).token
    }

    private func send(
        _ method: String, _ path: String, _ token: String, body: [UInt8] = []
    ) async throws -> TransportResponse {
        try await service.answer(
            TransportRequest(
                method, "/v1/scenes/main/archives/" + path,
                fields: [
                    .init("Authorization", "Bearer " + token), .init(body.isEmpty ? "Accept" : "Content-Type", place),
                ], body: body))
    }

    private let id = "6f1d2a04-37a8-4c3e-9a8a-0c5b8f1d2e3f"

    @Test func placeOfAWebAppComesBackInASwiftApp() async throws {
        let json = #"""
            {"format": 1, "idiom": "mac", "references": [
               {"dataSource": "Book", "role": "selected", "identifier": "web-2", "aliases": ["isbn:2"]}],
             "steps": [{"screen": "root", "title": "", "references": [0], "parameters": {
               "book": {"$reference": 0}, "page": 12, "edition": {"$integer": "9007199254740993"}, "zoom": 3,
               "opened": {"$date": 817804487}, "cover": {"$data": "AP8="}, "note": {"$dictionary": {"$date": "x"}}}}]}
            """#
        #expect(try await send("PUT", id, join(), body: Array(json.utf8)).status == 201)
        let restored = try #require(await pad.placekeeper.scene(Reading.self).restore(items: books.pad).value)
        #expect(restored.book?.placeID == "pad-2" && restored.page == 12 && restored.zoom == 3)
        #expect(restored.edition == 9_007_199_254_740_993 && restored.cover == Data([0, 255]))
        #expect(restored.opened == Date(timeIntervalSinceReferenceDate: 817_804_487) && restored.note == ["$date": "x"])
    }

    @Test func pathOfAWebAppComesBackInASwiftApp() async throws {
        let json = #"""
            {"format": 1, "idiom": "mac", "references": [{"dataSource": "Book", "aliases": ["isbn:3"]}],
             "steps": [{"screen": "root", "title": "Library"},
                       {"screen": "book", "references": [0], "parameters": {"_0": {"$reference": 0}}},
                       {"screen": "search", "title": "search", "parameters": {"text": "sea"}}]}
            """#
        #expect(try await send("PUT", id, join(), body: Array(json.utf8)).status == 201)
        let window = pad.window(Shelf("pad-"))
        await window.launch(showing: [])
        #expect(window.restoredValue() == [.book("pad-3"), .search(text: "sea")])
    }

    @Test func placeOfASwiftAppIsUnchangedAfterAWebAppSavedIt() async throws {
        let web = try await join()
        var reading = Reading()
        reading.book = books.phone[1].reference
        phone.placekeeper.scene(Reading.self).save(reading, items: books.phone)
        try await phone.placekeeper.flush()
        let read = try await send("GET", "latest?idiom=mac", web)
        #expect(read.status == 200 && read["placekeeper-fidelity"] == "place")
        // The web app was in this place, and saved it as its own.
        let json = String(decoding: read.body, as: UTF8.self).replacing(#""idiom":"phone""#, with: #""idiom":"mac""#)
        await service.advance(by: .seconds(60))
        #expect(try await send("PUT", id, web, body: Array(json.utf8)).status == 201)
        let restored = try #require(await pad.placekeeper.scene(Reading.self).restore(items: books.pad).value)
        reading.book = books.pad[1].reference
        #expect(restored == reading)
    }
}
