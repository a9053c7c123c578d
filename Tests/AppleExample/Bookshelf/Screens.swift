import PlacekeeperClient
import PlacekeeperUI
import SwiftUI

struct BookList: View {
    let placekeeper: Placekeeper
    let shelf: Shelf
    @State private var code = ""

    var body: some View {
        VStack {
            List(shelf.books) { NavigationLink($0.title, value: Route.book(id: $0.id)) }
            if !code.isEmpty { Text(code).accessibilityIdentifier("code") }
            Button("Link a device") { Task { code = (try? await placekeeper.linkCode())?.code ?? "none" } }
        }
        .navigationTitle("Books")
        .navigationDestination(for: Route.self) { route in
            switch route {
            case .book(let id):
                if let book = shelf.book(id) { BookScreen(placekeeper: placekeeper, book: book) }
            }
        }
    }
}

struct BookScreen: View {
    private let placekeeper: Placekeeper
    private let book: Book
    @KeptState private var note: String
    @State private var outcome = ""

    init(placekeeper: Placekeeper, book: Book) {
        self.placekeeper = placekeeper
        self.book = book
        // Each book has its own note. The ISBN is the same on every device.
        _note = KeptState(wrappedValue: "", "note-\(book.isbn)", inEveryLayout: true)
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
            outcome = error.code.rawValue
        }
    }
}
