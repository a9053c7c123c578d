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

enum Route: Codable, Hashable {
    case book(Book.Reference)
    case about
}

@MainActor
@Observable
final class Shelf {
    var books: [Book] = []
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
        List(shelf.books) { NavigationLink($0.title, value: Route.book($0.reference)) }
            .navigationDestination(for: Route.self) { route in
                switch route {
                case .book(let book): if let book = shelf.books[book] { Note(book: book) }
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
