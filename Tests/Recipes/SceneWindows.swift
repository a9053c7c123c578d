import PlacekeeperClient
import PlacekeeperUI
import PlacekeeperRuntime

// recipe: UIKit with scenes
/// A window of the library. Its routes are those of the recipe for `NavigationStack`.
@MainActor
final class LibraryWindow {
    let place: KeptPlace
    private let navigator: RouteNavigator<Route>
    /// The routes that the stack showed last. A restore sets the navigator's path before the stack shows it.
    private var shown: [Route] = []

    /// - Parameter show: Shows the screens of routes above the root screen.
    init(
        _ scene: KeptScene, _ lists: [any ModelAssociation], on device: RestorationContext,
        show: @escaping @MainActor ([Route]) -> Void
    ) {
        let navigator = RouteNavigator<Route>(lists: lists, rootTitle: "Library")
        self.navigator = navigator
        place = KeptPlace(scene, navigator: navigator, device: device)
        place.didRestore = { show(navigator.path) }
    }

    /// Saves the place after the person has navigated.
    func stackDidShow(_ routes: [Route]) {
        guard routes != shown else { return }
        shown = routes
        guard routes != navigator.path else { return }
        navigator.path = routes
        place.noteNavigation()
    }
}
// end of recipe
