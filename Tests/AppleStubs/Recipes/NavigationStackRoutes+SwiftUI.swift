import PlacekeeperKit
import SwiftUI

// recipe: NavigationStack
struct LibraryScreens: View {
    let placekeeper: Placekeeper
    let books: [Book]
    @State private var path: [Route] = []

    var body: some View {
        NavigationStack(path: $path) { BookList(books: books) }
            .keepsPlace($path, in: placekeeper, items: books, title: "Library")
    }
}
// end of recipe

struct BookList: View {
    let books: [Book]

    var body: some View {
        List(books) { NavigationLink($0.isbn, value: Route.book($0.reference)) }
            .navigationDestination(for: Route.self) { route in
                switch route {
                case .book(let reference): if let book = books[reference] { Text(book.isbn) } else { ProgressView() }
                case .find(let text): Text(text)
                }
            }
    }
}
