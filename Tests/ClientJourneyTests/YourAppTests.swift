import Foundation
import PlacekeeperKit
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

private enum Route: Codable, Hashable {
    case book(Book.Reference)
}

/// The code of docs/your-app.md.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct YourAppTests {
    private static let device = RestorationContext(idiom: .phone, bundleVersion: "42")
    private let phoneBooks = (0..<9).map { Book(id: "p\($0)", isbn: "978-\($0)", title: "Book \($0)") }
    private let padBooks = (0..<9).map { Book(id: "p\(8 - $0)", isbn: "978-\($0)", title: "Book \($0)") }

    private func placekeeper(_ service: ServiceInUse) -> Placekeeper {
        service.placekeeper(Self.device, files: service.newFiles())
    }

    @Test func restoresAndFollowsOffers() async throws {
        try await ServiceInUse.run(.sockets) { service in
            let (phone, pad) = (placekeeper(service), placekeeper(service))
            let here = phone.scene(Reading.self)
            #expect(await here.restore(items: phoneBooks).value == nil)
            here.save(Reading(book: phoneBooks[3].reference, note: "page 12"), items: phoneBooks)
            try await phone.flush()
            try await link(pad, to: phone)
            let there = pad.scene(Reading.self)
            let restored = try #require(await there.restore(items: padBooks).value)
            #expect(restored.book == padBooks[3].reference && restored.note == "page 12")

            let asked = AsyncStream<Placekeeper.Offer>.makeStream()
            let shown = AsyncStream<Reading>.makeStream()
            let following = Task {
                try await followOffers(of: here, in: phoneBooks) { offer in
                    asked.continuation.yield(offer)
                    return true
                } _: {
                    shown.continuation.yield($0)
                }
            }
            var (offers, readings) = (asked.stream.makeAsyncIterator(), shown.stream.makeAsyncIterator())
            for number in [7, 5] {
                service.wait(60)
                there.save(Reading(book: padBooks[number].reference, page: 100 + number), items: padBooks)
                try await pad.flush()
                #expect(await offers.next()?.place.titles == ["Book \(number)"])
                let reading = await readings.next()
                #expect(reading?.book == phoneBooks[number].reference && reading?.page == 100 + number)
            }
            following.cancel()
            _ = await following.result
        }
    }

    @Test func referenceFindsABookThatLoadsLater() async throws {
        try await ServiceInUse.run(.memory) { service in
            let (phone, pad) = (placekeeper(service), placekeeper(service))
            register(phoneBooks, with: phone)
            phone.scene(Reading.self).save(Reading(book: phoneBooks[3].reference), items: phoneBooks)
            try await phone.flush()
            try await link(pad, to: phone)
            let reading = try #require(await pad.scene(Reading.self).restore().value)
            let book = try #require(reading.book)
            #expect(book.placeID == nil && [Book]()[book] == nil)
            #expect(padBooks[book]?.id == padBooks[3].id)
            // Two books with the ISBN: none is better than the wrong one.
            let twins = [Book(id: "q1", isbn: "978-3"), Book(id: "q2", isbn: "978-3")]
            #expect(twins[book] == nil)
        }
    }

    /// The album and the best-of album have a song of one title.
    @Test func restoresTheSongOfTheAlbum() async throws {
        let (phone, pad) = try await TestService().phoneAndPad()
        let songs = [
            Song(id: "p1", title: "Intro", album: "First", number: 1),
            Song(id: "p2", title: "Intro", album: "Best", number: 7),
        ]
        phone.placekeeper.scene(Song.Reference.self).save(songs[0].reference, items: songs)
        try await phone.placekeeper.flush()
        let others = [
            Song(id: "q1", title: "INTRO", album: "Best", number: 7),
            Song(id: "q2", title: "Intro", album: "First", number: 1),
        ]
        let song = try #require(await pad.placekeeper.scene(Song.Reference.self).restore(items: others).value)
        #expect(others[song]?.id == "q2")
        #expect([others[0]][song] == nil)
    }

    @Test func signsInAndOut() async throws {
        try await ServiceInUse.run(.memory) { service in
            let placekeeper = placekeeper(service)
            placekeeper.scene(Reading.self).save(Reading())
            try await signIn(placekeeper, Backend())
            try await signOut(placekeeper)
            #expect(placekeeper.status.account == .signedOut)
            #expect(placekeeper.status.unsentCount == 0)
            try await signIn(placekeeper, Backend())
            #expect(try await placekeeper.places().count == 1)
        }
    }

    @Test func aClientContactsNothingUntilItIsUsed() throws {
        let server = try #require(URL(string: "http://127.0.0.1:9"))
        #expect(makeClient(server, key: "pk_").status.account == .unknown)
    }

    @MainActor
    @Test func padOpensTheSameBook() async throws {
        let (phone, pad) = try await TestService().phoneAndPad()
        phone.placekeeper.scene([Route].self).save([.book(phoneBooks[0].reference)])
        try await phone.placekeeper.flush()
        let restored = await pad.placekeeper.scene([Route].self).restore(items: padBooks)
        #expect(restored.value == [.book(padBooks[0].reference)])
    }

    @Test func pageShowsThisCode() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = try String(
            contentsOf: folder.appendingPathComponent("../../docs/your-app.md").standardized, encoding: .utf8)
        let code = try ["YourAppGuide.swift", "YourAppTests.swift", "ReadmeTests.swift"].map { name in
            statements(try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
        }
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 10)
        for block in blocks {
            let block = statements(block)
            #expect(code.contains { $0.contains(block) }, "\(block)")
        }
    }

    /// Returns the lines of code without indentation and imports.
    private func statements(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") && $0 != "change(&reading)" }
            .joined(separator: "\n")
    }
}
