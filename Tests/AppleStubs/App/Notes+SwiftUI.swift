import KeyedArchive
import PlacekeeperClient
import PlacekeeperUI
import StateRestoration
import SwiftUI

/// The SwiftUI app of docs/your-app.md.
enum Route: Hashable, Codable, PlaceRoute {
    case book(id: String)
    case search(text: String)

    var placeName: String {
        switch self {
        case .book: "book"
        case .search: "search"
        }
    }
    var placeItems: [PlaceItem] {
        if case .book(let id) = self { [PlaceItem(id, of: "books")] } else { [] }
    }
    var placeParameters: [String: StateValue] {
        if case .search(let text) = self { ["text": .string(text)] } else { [:] }
    }
    init?(placeName: String, items: [PlaceItem], parameters: StateDecoder) {
        switch placeName {
        case "book":
            guard let book = items.first else { return nil }
            self = .book(id: book.identifier)
        case "search":
            guard let text = parameters.decodeString(forKey: "text") else { return nil }
            self = .search(text: text)
        default: return nil
        }
    }
}

@MainActor
final class Shelf: ModelAssociation {
    let dataSourceName = "books"
    var books: [UUID] = []
    func containsElement(withModelIdentifier identifier: String) -> Bool {
        books.contains { $0.uuidString == identifier }
    }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
struct LibraryWindow: View {
    let placekeeper: Placekeeper
    let shelf: Shelf
    @State private var path: [Route] = []

    var body: some View {
        NavigationStack(path: $path) { Library(shelf: shelf) }
            .continueOffer(placekeeper.scene())
            .keepsPlace(
                placekeeper.scene(), path: $path, lists: [shelf], title: "Library", dataVersion: shelf.books.count
            )
            .sendsInBackground(placekeeper)
    }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
struct Library: View {
    let shelf: Shelf
    @KeptState("draft") private var draft = ""
    @KeptState("count") private var count = 0
    @State private var book: UUID?
    @State private var books: Set<UUID> = []
    @State private var top: UUID?

    var body: some View {
        TextField("Note", text: $draft)
        Button("More") { count += 1 }
        List(selection: $book) { ForEach(shelf.books, id: \.self) { Text($0.uuidString) } }
            .keepsSelection($book, of: shelf)
            .keepsSelection($books, of: shelf, key: "marked")
        ScrollView { ForEach(shelf.books, id: \.self) { Text($0.uuidString) }.scrollTargetLayout() }
            .keepsScrollPosition($top, of: shelf)
    }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
struct OwnCard: View {
    let scene: KeptScene
    var body: some View {
        EmptyView().continueOffer(scene) { card, answer in
            Text(card.device ?? "Another device")
            Button("Continue") { answer(true) }
        }
    }
}
