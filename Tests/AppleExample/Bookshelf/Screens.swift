import PlacekeeperKit
import SwiftUI

struct BookList: View {
    let placekeeper: Placekeeper
    let shelf: Shelf
    @State private var code = ""

    var body: some View {
        VStack {
            List(shelf.books) { NavigationLink($0.title, value: Route.book($0.reference)) }
            if !code.isEmpty { Text(code).accessibilityIdentifier("code") }
            Button("Link a device") { Task { code = (try? await placekeeper.linkCode())?.code ?? "none" } }
        }
        .navigationTitle("Books")
        .navigationDestination(for: Route.self) { route in
            switch route {
            case .book(let book):
                if let book = shelf.books[book] { BookScreen(placekeeper: placekeeper, book: book) }
            }
        }
    }
}

struct BookScreen: View {
    private let placekeeper: Placekeeper
    private let book: Book
    @PlaceStorage private var note: String
    @State private var outcome = ""

    init(placekeeper: Placekeeper, book: Book) {
        self.placekeeper = placekeeper
        self.book = book
        _note = PlaceStorage(wrappedValue: "", "note", of: book)
    }

    var body: some View {
        VStack {
            TextField("Note", text: $note)
            if !outcome.isEmpty { Text(outcome) }
            // For the tests: an app sends in the background.
            Button("Send now") { Task { await send() } }
        }
        .navigationTitle(book.title)
    }

    private func send() async {
        do {
            try await placekeeper.flush()
            outcome = "sent"
        } catch {
            outcome = (error as? PlacekeeperError)?.code.rawValue ?? "canceled"
        }
    }
}
