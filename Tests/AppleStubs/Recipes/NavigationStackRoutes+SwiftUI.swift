import PlacekeeperClient
import PlacekeeperUI
import SwiftUI

// recipe: NavigationStack
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
struct LibraryScreens: View {
    let placekeeper: Placekeeper
    let shelf: Shelf
    @State private var path: [Route] = []

    var body: some View {
        NavigationStack(path: $path) {
            Text("Library").navigationDestination(for: Route.self) { Text($0.placeName) }
        }
        .continueOffer(placekeeper.scene())
        .keepsPlace(placekeeper.scene(), path: $path, lists: [shelf], title: "Library", dataVersion: shelf.books.count)
        .sendsInBackground(placekeeper)
    }
}
// end of recipe
