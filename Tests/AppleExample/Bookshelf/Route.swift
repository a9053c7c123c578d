import PlacekeeperKit

enum Route: Codable, Hashable {
    case book(Book.Reference)
}
