import PlacekeeperArchive
import PlacekeeperUI
import PlacekeeperRuntime
import PlacekeeperTesting

/// A route of the tests' app.
enum Route: Hashable, PlaceRoute {
    case book(id: String)
    case search(text: String)

    var placeName: String {
        switch self {
        case .book: "book"
        case .search: "search"
        }
    }
    var placeTitle: String? {
        switch self {
        case .book(let id): "Book \(id)"
        case .search: nil
        }
    }
    var placeItems: [PlaceItem] {
        if case .book(let id) = self { [PlaceItem(id, of: "books")] } else { [] }
    }
    var placeParameters: [String: StateValue] {
        if case .search(let text) = self { ["text": .string(text), "password": .string("hunter2")] } else { [:] }
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

/// A list whose identifiers have a prefix that differs between devices.
@MainActor
final class Shelf: ModelAssociation {
    let dataSourceName = "books"
    let prefix: String
    var isbns: [String]
    /// Runs while the list loads an element.
    var whileLoading: (() -> Void)?

    init(_ prefix: String = "", _ isbns: [String] = ["1", "2", "3"]) {
        self.prefix = prefix
        self.isbns = isbns
    }

    var listElements: [ListElement] { isbns.map { ListElement(prefix + $0, aliases: ["isbn:" + $0]) } }
    func reveal(elementWithModelIdentifier identifier: String) async -> Bool {
        whileLoading?()
        return containsElement(withModelIdentifier: identifier)
    }
}

/// Lets the tasks of the main actor run, and then the devices.
@MainActor
func settle(_ service: TestService) async {
    for _ in 0..<20 { await Task.yield() }
    await service.settle()
    for _ in 0..<20 { await Task.yield() }
}
