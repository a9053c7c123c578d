import PlacekeeperKit

// recipe: NavigationStack
struct Book: Identifiable, PlaceItem {
    let id: String, isbn: String
    var placeAliases: [ItemAlias] { [.unique("isbn", isbn)] }  // the same on every device
}

enum Route: Codable, Hashable {
    case book(Book.Reference)
    case find(text: String)
}
// end of recipe
