import Foundation
import Observation
import PlacekeeperKit

struct Book: Identifiable, Sendable, PlaceItem {
    /// The key of the row in the database of this installation.
    let id: String
    let title: String
    let isbn: String

    var placeAliases: [ItemAlias] { [.unique("isbn", isbn)] }
    var placeTitle: String? { title }
}

/// The books of an installation. Each installation numbers its rows itself, so one key means different books.
@MainActor
@Observable
final class Shelf {
    let books: [Book]

    init(isReversed: Bool) {
        let titles = ["Emma": "9780141439587", "Persuasion": "9780141439686", "Villette": "9780140434798"]
        let sorted = titles.keys.sorted()
        books = (isReversed ? sorted.reversed() : sorted).enumerated().map { row, title in
            Book(id: "\(row + 1)", title: title, isbn: titles[title] ?? "")
        }
    }
}
