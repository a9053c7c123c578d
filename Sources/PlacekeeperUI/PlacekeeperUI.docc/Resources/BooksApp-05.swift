import PlacekeeperClient
import PlacekeeperUI
import PlacekeeperRuntime
import SwiftUI

struct Book: Identifiable {
    let id: UUID
    let title: String
    let isbn: String
}

enum Route: Codable, PlaceRoute {
    case book(id: String)
    case about

    static let placeManifest = RouteManifest([.init("book", items: ["id": "books"]), .init("about")])
}

@MainActor
@Observable
final class Shelf: ModelAssociation {
    let dataSourceName = "books"
    var books: [Book] = []

    func book(_ id: String) -> Book? { books.first { $0.id.uuidString == id } }

    var listElements: [ListElement] {
        books.map { ListElement($0.id.uuidString, aliases: ["isbn:" + $0.isbn]) }
    }
}

@main
struct BooksApp: App {
    private let placekeeper = Placekeeper(URL(string: "http://127.0.0.1:8080")!, key: "pk_…")
    @State private var shelf = Shelf()
    @State private var path: [Route] = []

    var body: some Scene {
        WindowGroup {
            NavigationStack(path: $path) { BookList(shelf: shelf) }
                .keepsPlace(
                    placekeeper.scene(), path: $path, lists: [shelf], title: "Books", dataVersion: shelf.books.count
                )
                .sendsInBackground(placekeeper)
                .task {
                    shelf.books = await loadBooks()
                    placekeeper.list(of: shelf).update(from: shelf)
                }
        }
    }
}

/// Reads the app's own database.
func loadBooks() async -> [Book] { [] }

struct BookList: View {
    let shelf: Shelf

    var body: some View {
        List(shelf.books) { NavigationLink($0.title, value: Route.book(id: $0.id.uuidString)) }
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
