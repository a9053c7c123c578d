// The SwiftUI app of README.md and docs/your-app.md.
import Foundation
import Observation
import PlacekeeperKit
import SwiftUI

struct Book: Identifiable, PlaceItem {
    let id: UUID, isbn: String, title: String
    var placeAliases: [ItemAlias] { [.unique("isbn", isbn)] }  // the same book on every device
}

enum Route: Codable, Hashable {
    case book(Book.Reference)
    case search(text: String)
}

let placekeeper = Placekeeper(URL(string: "https://place.example.com")!, key: "pk_…")

struct LibraryWindow: View {
    let shelf: Shelf
    @State private var path: [Route] = []

    var body: some View {
        NavigationStack(path: $path) { Library(shelf: shelf) }
            .keepsPlace($path, in: placekeeper, items: shelf.books, title: "Library")
    }
}

struct Note: View {
    @PlaceStorage private var draft: String

    init(book: Book) { _draft = PlaceStorage(wrappedValue: "", "draft", of: book) }

    var body: some View { TextField("Note", text: $draft) }
}

@MainActor
@Observable
final class Shelf {
    var books: [Book] = []
}

/// What an offer on another device says about a screen.
extension Route: PlaceScreen {
    var placeTitle: String? { if case .search(let text) = self { "Search for \(text)" } else { nil } }
}

/// A window that is also continued by Handoff.
struct HandoffWindow: View {
    let shelf: Shelf
    @State private var path: [Route] = []

    var body: some View {
        NavigationStack(path: $path) { Library(shelf: shelf) }
            .keepsPlace($path, in: placekeeper, items: shelf.books, activityType: "com.example.reading")
    }
}

struct Library: View {
    let shelf: Shelf
    @PlaceStorage("filter") private var filter = ""
    @PlaceStorage("count") private var count = 0
    @Environment(\.noteInteraction) private var noteInteraction

    var body: some View {
        TextField("Filter", text: $filter).onOpenURL { _ in noteInteraction() }
        Button("More") { count += 1 }
        List(shelf.books) { NavigationLink($0.title, value: Route.book($0.reference)) }
            .navigationDestination(for: Route.self) { route in
                switch route {
                case .book(let book): if let book = shelf.books[book] { Note(book: book) }
                case .search(let text): Text(text)
                }
            }
    }
}

/// A list whose selection and scroll position are kept.
struct Selections: View {
    let shelf: Shelf
    @State private var selection: Book.ID?
    @State private var marked: Set<Book.ID> = []
    @State private var top: Book.ID?

    var body: some View {
        List(shelf.books, selection: $selection) { Text($0.title) }
            .keepsSelection($selection, in: shelf.books)

        List(shelf.books) { Text($0.title) }
            .keepsSelection($marked, in: shelf.books, key: "marked")

        ScrollView { ForEach(shelf.books) { Text($0.title) }.scrollTargetLayout() }
            .keepsScrollPosition($top, in: shelf.books)
    }
}

/// A window with a card of its own, which is shown when another device has a newer place.
struct OwnCardWindow: View {
    let shelf: Shelf
    @State private var path: [Route] = []

    var body: some View {
        NavigationStack(path: $path) { Library(shelf: shelf) }
            .keepsPlace($path, in: placekeeper, items: shelf.books) { offer in
                Text(offer.deviceName ?? "Another device")
                Button("Continue") { offer.restore() }.disabled(offer.isRestoring)
                Button("Not now") { offer.dismiss() }
                if let problem = offer.problemText { Text(problem) }
            }
    }
}
