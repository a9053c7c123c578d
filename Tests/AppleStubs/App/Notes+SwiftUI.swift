import PlacekeeperClient
import PlacekeeperUI
import PlacekeeperRuntime
import SwiftUI

/// The SwiftUI app of docs/your-app.md.
enum Route: Codable, PlaceRoute {
    case book(id: String)
    case search(text: String)

    static let placeManifest = RouteManifest([
        .init("book", items: ["id": "books"]),
        .init("search", parameters: ["text": .string]),
    ])
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
@Observable
final class Shelf: ModelAssociation {
    let dataSourceName = "books"
    var books: [UUID] = []
    var listElements: [ListElement] { books.map { ListElement($0.uuidString) } }
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

/// A window that is also continued by Handoff.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
struct HandoffWindow: View {
    let placekeeper: Placekeeper
    let shelf: Shelf
    @State private var path: [Route] = []

    var body: some View {
        NavigationStack(path: $path) { Library(shelf: shelf) }
            .keepsPlace(placekeeper.scene(), path: $path, lists: [shelf], activityType: "com.example.reading")
    }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
struct Library: View {
    let shelf: Shelf
    @KeptState("filter") private var filter = ""
    @KeptState("count") private var count = 0
    @State private var book: UUID?
    @State private var books: Set<UUID> = []
    @State private var top: UUID?
    @Environment(\.noteNavigation) private var noteNavigation

    var body: some View {
        TextField("Filter", text: $filter).onOpenURL { _ in noteNavigation() }
        Button("More") { count += 1 }
        List(selection: $book) { ForEach(shelf.books, id: \.self) { Text($0.uuidString) } }
            .keepsSelection($book, of: shelf)
            .keepsSelection($books, of: shelf, key: "marked")
        ScrollView { ForEach(shelf.books, id: \.self) { Text($0.uuidString) }.scrollTargetLayout() }
            .keepsScrollPosition($top, of: shelf)
    }
}

/// The draft of one book. The key has the ISBN, because a local identifier differs on each device.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
struct Note: View {
    @KeptState private var draft: String

    init(isbn: String) { _draft = KeptState(wrappedValue: "", "draft-\(isbn)", inEveryLayout: true) }

    var body: some View { TextField("Note", text: $draft) }
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
