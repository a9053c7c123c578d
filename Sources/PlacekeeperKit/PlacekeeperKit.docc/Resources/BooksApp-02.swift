import Foundation
import Observation
import PlacekeeperKit
import SwiftUI

struct Book: Identifiable, PlaceItem {
    let id: UUID
    let title: String
    let isbn: String

    var placeAliases: [ItemAlias] { [.unique("isbn", isbn)] }
    var placeTitle: String? { title }
}

enum Route: Hashable {
    case book(Book.ID)
    case about
}

@MainActor
@Observable
final class Shelf {
    var books: [Book] = []

    func book(_ id: Book.ID) -> Book? { books.first { $0.id == id } }
}

@main
struct BooksApp: App {
    @State private var shelf = Shelf()
    @State private var path: [Route] = []

    var body: some Scene {
        WindowGroup {
            NavigationStack(path: $path) { BookList(shelf: shelf) }
        }
    }
}

struct BookList: View {
    let shelf: Shelf

    var body: some View {
        List(shelf.books) { NavigationLink($0.title, value: Route.book($0.id)) }
            .navigationDestination(for: Route.self) { route in
                switch route {
                case .book(let id): if let book = shelf.book(id) { Note(book: book) }
                case .about: Text("Books")
                }
            }
    }
}

struct Note: View {
    let book: Book
    @State private var draft = ""

    var body: some View {
        TextField("Note", text: $draft)
    }
}
