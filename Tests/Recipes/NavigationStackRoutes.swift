import PlacekeeperUI
import PlacekeeperRuntime

// recipe: NavigationStack
enum Route: Codable, PlaceRoute {
    case book(id: String)
    case find(text: String)

    static let placeManifest = RouteManifest([
        .init("book", items: ["id": "books"]),
        .init("find", parameters: ["text": .string], renamedFrom: ["search"]),
    ])
}
// end of recipe

/// The books of a device. Each device numbers its rows itself.
@MainActor
final class Shelf: ModelAssociation {
    let dataSourceName = "books"
    /// The books' ISBNs by row key.
    var books: [String: String]

    init(_ books: [String: String]) { self.books = books }

    var listElements: [ListElement] { books.map { ListElement($0.key, aliases: ["isbn:" + $0.value]) } }
}
