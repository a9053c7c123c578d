import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperSampleApps
import PlacekeeperRuntime
import Testing

/// The code of docs/your-app.md.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct YourAppTests {
    private static let device = RestorationContext(idiom: .phone, bundleVersion: "42", layout: .compact)

    private func notes(_ side: ItemNames.Side) -> Notes {
        let notes = Notes("notes", titles: (1...30).map { "Note \($0)" })
        ItemNames.rowKeys.name(notes, on: side)
        return notes
    }

    private func window(_ side: ItemNames.Side, _ service: ServiceInUse) -> NotesWindow {
        let placekeeper = service.placekeeper(Self.device, files: service.newFiles())
        return NotesWindow(placekeeper, notes(side), on: Self.device)
    }

    private func select(_ row: Int, in window: NotesWindow) async throws {
        window.app.list.select(window.notes.items[row].id)
        try await window.enterBackground()
    }

    @Test func restoresAWindowAndFollowsItsOffers() async throws {
        try await ServiceInUse.run(.sockets) { service in
            let (phone, pad) = (window(.here, service), window(.there, service))
            let shelf = Shelf()
            await register(phone.notes, shelf, with: phone.placekeeper)
            #expect(await phone.open() == nil)
            try await select(3, in: phone)
            try await link(pad.placekeeper, to: phone.placekeeper)
            await register(pad.notes, shelf, with: pad.placekeeper)
            try await pad.placekeeper.flush()
            #expect(await pad.open() == nil)
            #expect(pad.app.selected == ["Note 4"])

            let asked = AsyncStream<Offer>.makeStream()
            let following = Task {
                try await followOffers(of: phone) { offer in
                    asked.continuation.yield(offer)
                    return true
                }
            }
            var questions = asked.stream.makeAsyncIterator()
            for (row, shown) in [(7, "Note 4"), (9, "Note 8")] {
                service.wait(60)
                try await select(row, in: pad)
                #expect(await questions.next().map(question) == "Continue?")
                // The phone has shown the earlier offer before it asks again.
                #expect(phone.app.selected == [shown])
            }
            following.cancel()
            _ = await following.result
        }
    }

    @Test(arguments: [false, true])
    func restoresABookOfAListWithoutIndexPaths(isLate: Bool) async throws {
        try await ServiceInUse.run(.memory) { service in
            let (phone, pad) = (Shelf(), Shelf())
            phone.books = (0..<9).map { Book(id: "p\($0)", isbn: "978-\($0)") }
            let first = service.placekeeper(Self.device, files: service.newFiles())
            let second = service.placekeeper(Self.device, files: service.newFiles())
            await register(notes(.here), phone, with: first)
            var reading = Reading(in: phone)
            (reading.book, reading.note) = (ShownElement("p3", of: phone), "page 12")
            first.scene().save(reading.archive(on: Self.device))
            try await first.flush()

            try await link(second, to: first)
            let books = (0..<9).map { Book(id: "p\(8 - $0)", isbn: "978-\($0)") }
            if !isLate {
                pad.books = books
                await register(notes(.there), pad, with: second)
                try await second.flush()
            }
            let served = try #require(await second.scene().launch().restore)
            var restored = Reading(served.archive, in: pad)
            #expect(restored.note == "page 12")
            if isLate {
                #expect(restored.book?.identifier == nil)
                pad.books = books
                await register(notes(.there), pad, with: second)
                #expect(restored.book?.lookAgain() == true)
            }
            #expect(restored.book?.identifier == "p5")
        }
    }

    @Test func restoresNoBookIfTwoHaveTheISBN() {
        let (phone, pad) = (Shelf(), Shelf())
        phone.books = [Book(id: "p1", isbn: "978-1")]
        pad.books = [Book(id: "q1", isbn: "978-1"), Book(id: "q2", isbn: "978-1")]
        let saved = ModelReference("p1", in: phone, role: .selected)
        #expect(ShownElement(saved, of: pad, mayArrive: true)?.identifier == nil)
    }

    /// The album and the best-of album have a song of one title.
    @Test func restoresTheSongOfTheAlbum() {
        let (phone, pad) = (SongList(), SongList())
        phone.songs = [
            Song(id: "p1", title: "Intro", album: "First", number: 1),
            Song(id: "p2", title: "Intro", album: "Best", number: 7),
        ]
        pad.songs = [
            Song(id: "q1", title: "INTRO", album: "Best", number: 7),
            Song(id: "q2", title: "Intro", album: "First", number: 1),
        ]
        let saved = ModelReference("p1", in: phone, role: .selected)
        #expect(saved.element.sharedAliases == ["song:intro|the band"])
        var served = saved
        served.element.identifier = nil
        served.resolution = .init(step: .pending, confidence: 0)
        #expect(ShownElement(served, of: pad)?.identifier == "q2")
        pad.songs.removeLast()
        #expect(ShownElement(served, of: pad)?.identifier == nil)
    }

    @Test func signsInAndOut() async throws {
        try await ServiceInUse.run(.memory) { service in
            let placekeeper = service.placekeeper(Self.device, files: service.newFiles())
            placekeeper.scene().save(Reading(in: Shelf()).archive(on: Self.device))
            try await signInAndOut(placekeeper, Backend())
            #expect(placekeeper.status.account != .signedIn)
            #expect(placekeeper.status.pendingCount == 0)
            try await placekeeper.signIn { try await Backend().token() }
            #expect(try await placekeeper.places().count == 1)
        }
    }

    @Test func restoresNothingInAnExtension() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let server = try #require(URL(string: "http://127.0.0.1:9"))
        let launch = await Placekeeper.ofExtension(server, key: "pk_", folder).scene().launch()
        #expect(launch.reason.code == .processIsExtension)
    }

    @Test func pageShowsThisCode() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = try String(
            contentsOf: folder.appendingPathComponent("../../docs/your-app.md").standardized, encoding: .utf8)
        let code = try ["YourAppGuide.swift", "ReadmeTests.swift"].map { name in
            statements(try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
        }
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 9)
        for block in blocks {
            let block = statements(block)
            #expect(code.contains { $0.contains(block) }, "\(block)")
        }
    }

    /// Returns the lines of code without indentation and imports. In an extension of `Placekeeper`, the names of its
    /// types need no qualification.
    private func statements(_ text: String) -> String {
        text.replacingOccurrences(of: "Placekeeper.Options", with: "Options").split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
            .joined(separator: "\n")
    }
}
