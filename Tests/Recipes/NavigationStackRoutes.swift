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

    func containsElement(withModelIdentifier identifier: String) -> Bool { books[identifier] != nil }
    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        books[identifier].map { ["isbn:" + $0] } ?? []
    }
    func modelIdentifierForElement(withAlias alias: String) -> String? {
        books.first { "isbn:" + $0.value == alias }?.key
    }
}
