import KeyedArchive
import PlacekeeperUI
import StateRestoration

// recipe: NavigationStack
enum Route: Hashable, PlaceRoute {
    case book(id: String)
    case find(text: String)

    static let placeManifest = RouteManifest([
        .init("book", items: ["books"]),
        .init("find", parameters: ["text": .string], renamedFrom: ["search"]),
    ])

    var placeName: String {
        switch self {
        case .book: "book"
        case .find: "find"
        }
    }
    var placeItems: [PlaceItem] {
        if case .book(let id) = self { [PlaceItem(id, of: "books")] } else { [] }
    }
    var placeParameters: [String: StateValue] {
        if case .find(let text) = self { ["text": .string(text)] } else { [:] }
    }
    init?(placeName: String, items: [PlaceItem], parameters: StateDecoder) {
        switch placeName {
        case "book":
            guard let book = items.first else { return nil }
            self = .book(id: book.identifier)
        case "find":
            guard let text = parameters.decodeString(forKey: "text") else { return nil }
            self = .find(text: text)
        default: return nil
        }
    }
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
