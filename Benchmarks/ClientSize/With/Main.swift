import Foundation
import PlacekeeperKit

/// The state of the program.
private struct Reading: Codable {
    var book: Book.Reference?
    var page = 1
}

private struct Book: Identifiable, PlaceItem {
    let id: Int
    var placeAliases: [ItemAlias] { [.unique("isbn", "978-\(id)")] }
}

/// A program that uses the client, for the measurement of the client's size. Takes the server's address and the app's
/// key.
@main
@MainActor
struct Main {
    static func main() async throws {
        guard CommandLine.arguments.count == 3, let server = URL(string: CommandLine.arguments[1]) else {
            return print(FileManager.default.currentDirectoryPath)
        }
        let books = (0..<3).map(Book.init)
        let placekeeper = Placekeeper(server, key: CommandLine.arguments[2])
        let scene = placekeeper.scene(Reading.self)
        var reading = await scene.restore(items: books).value ?? Reading()
        print(reading.page)
        (reading.page, reading.book) = (reading.page + 1, books[0].reference)
        scene.save(reading, items: books)
        try await placekeeper.flush()
        for await offer in scene.offers { print(offer?.place.titles ?? []) }
    }
}
