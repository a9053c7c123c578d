import PlacekeeperUI
import PlacekeeperRuntime

enum Route: Codable, PlaceRoute {
    case book(id: String)

    static let placeManifest = RouteManifest([.init("book", items: ["id": "books"])])
}
