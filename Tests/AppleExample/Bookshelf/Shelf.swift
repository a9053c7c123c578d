import Foundation
import Observation
import PlacekeeperRuntime

struct Book: Identifiable, Sendable {
    /// The key of the row in the database of this installation.
    let id: String
    let title: String
    let isbn: String
}

/// The books of an installation. Each installation numbers its rows itself, so one key means different books.
@MainActor
@Observable
final class Shelf: ModelAssociation {
    let dataSourceName = "books"
    let books: [Book]

    init(isReversed: Bool) {
        let titles = ["Emma": "9780141439587", "Persuasion": "9780141439686", "Villette": "9780140434798"]
        let sorted = titles.keys.sorted()
        books = (isReversed ? sorted.reversed() : sorted).enumerated().map { row, title in
            Book(id: "\(row + 1)", title: title, isbn: titles[title] ?? "")
        }
    }

    func book(_ id: String) -> Book? { books.first { $0.id == id } }

    var listElements: [ListElement] { books.map { ListElement($0.id, aliases: ["isbn:" + $0.isbn]) } }
}
