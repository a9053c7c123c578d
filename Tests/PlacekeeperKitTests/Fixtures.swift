import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting

@testable import PlacekeeperKit

/// A book of the tests' app. Its identifier differs between devices.
struct Book: Identifiable, Hashable, PlaceItem {
    let id: String
    let isbn: String
    var placeAliases: [ItemAlias] { [.unique("isbn", isbn)] }
    var placeTitle: String? { "Book \(isbn)" }
}

/// A screen of the tests' app.
enum Route: Codable, Hashable {
    case book(Book.Reference)
    case search(text: String)
    case login(name: String, password: String?)
}

/// A screen of a book.
protocol BookScreen {
    static func book(_ book: Book.Reference) -> Self
}

extension BookScreen {
    /// The screen of the book with an identifier of this device.
    static func book(_ id: String) -> Self { .book(Book.Reference(placeID: id)) }
}

extension Route: BookScreen, PlaceScreen {
    var placeTitle: String? { if case .search = self { "search" } else { nil } }
}

/// Books whose identifiers have a prefix that differs between devices. Make a new `list` after a change.
@MainActor
final class Shelf: ItemSource {
    let prefix: String
    var isbns: [String]
    /// The books that aren't in memory yet.
    var stored: [String] = []
    /// Runs while the shelf loads a book.
    var whileLoading: (() -> Void)?

    init(_ prefix: String = "", _ isbns: [String] = ["1", "2", "3"]) {
        self.prefix = prefix
        self.isbns = isbns
    }

    var placeItems: [Book] { isbns.map(book) }
    func item(withPlaceID id: String) async -> Book? {
        whileLoading?()
        return (isbns + stored).map(book).first { $0.id == id }
    }
    func placeIDs(matching alias: ItemAlias) -> [String]? {
        guard !stored.isEmpty else { return nil }
        return (isbns + stored).map(book).filter { $0.placeAliases.contains(alias) }.map(\.id)
    }

    private func book(_ isbn: String) -> Book { Book(id: prefix + isbn, isbn: isbn) }
}

extension ValueNavigator where Value: PathValue & RangeReplaceableCollection {
    /// The path that the window shows.
    var path: Value {
        get { value ?? Value() }
        set { show(newValue) }
    }
}

/// A navigator of a test, without items.
@MainActor
protocol PlainNavigator: PlaceNavigator {}

extension PlainNavigator {
    var lists: [any ModelAssociation] { [] }
    func item(_ saved: ModelReference) -> ItemUse { ItemUse(saved: saved) }
    func lookAgain() async -> Bool { false }
    func reach(_ step: PlaceStep) async -> PlaceRestoration.Reason? { await go(to: step) ? nil : .init(.declined) }
}

extension VirtualDevice {
    /// A window of the app whose state is a path.
    @MainActor
    func window(
        _ shelf: Shelf = Shelf(), title: String? = "Library", layout: ArchiveLayout? = nil
    ) -> ValueWindow<[Route]> {
        var device = configuration.device
        device.layout = layout ?? device.layout
        let window = ValueWindow<[Route]>(placekeeper.scene(), showing: [], title: title, device: device)
        _ = window.use([shelf], title: title)
        return window
    }
}

/// Lets the tasks of the main actor run, and then the devices.
@MainActor
func settle(_ service: TestService) async {
    for _ in 0..<20 { await Task.yield() }
    await service.settle()
    for _ in 0..<20 { await Task.yield() }
}
