import PlacekeeperKit

// recipe: UIKit with scenes
/// A window of the library, with the routes of the recipe for `NavigationStack`.
@MainActor
final class LibraryWindow {
    private let scene: Placekeeper.Scene<[Route]>
    private let books: [Book]
    private var path: [Route] = []

    init(_ scene: Placekeeper.Scene<[Route]>, _ books: [Book]) { (self.scene, self.books) = (scene, books) }

    /// Returns the path to show when the window opens. Nil if the user has navigated in the meantime.
    func restore() async -> [Route]? {
        let restored = await scene.restore(items: books).value
        if path.isEmpty { path = restored ?? [] } else { return nil }
        return path
    }

    func stackDidShow(_ routes: [Route]) {
        guard routes != path else { return }  // the first screen, or the restored path
        path = routes
        scene.save(routes, items: books, title: "Library")
    }
}
// end of recipe
