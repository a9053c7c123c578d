import PlacekeeperKit

// recipe: server identifiers
struct Article: Identifiable, PlaceItem {
    let id: String, title: String  // the server's identifier, the same on every device
    var placeTitle: String? { title }
}

/// The articles of a server. A restore requests an article that isn't on the pages that were loaded.
@MainActor
final class Articles: ItemSource {
    var placeItems: [Article] = []
    private let request: (String) async -> Article?

    init(request: @escaping (String) async -> Article?) { self.request = request }

    func item(withPlaceID id: String) async -> Article? {
        let article = await request(id)
        if let article { placeItems.append(article) }
        return article
    }
}
// end of recipe
