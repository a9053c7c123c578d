import PlacekeeperClient
import PlacekeeperRuntime

/// The logic of a window whose path of routes another object shows, such as a `NavigationStack`.
@MainActor
final class RouteWindow<Route: PlaceRoute> {
    let place: KeptPlace
    let navigator: RouteNavigator<Route>
    /// The path that was shown last, by the person or by a restore.
    private var shown: [Route] = []
    private var isLaunched = false
    /// The number of the owner whose path the stack shows.
    private var owner: Int

    init(
        _ scene: KeptScene, _ lists: [any ModelAssociation], title: String?, _ device: RestorationContext,
        _ denyList: DenyList
    ) {
        navigator = RouteNavigator(lists: lists, rootTitle: title)
        place = KeptPlace(scene, navigator: navigator, device: device, denyList: denyList)
        owner = place.account.owner
    }

    /// Launches the scene at the first call. If the path is not empty, it is a link that the person opened.
    func launch(showing path: [Route]) async {
        guard !isLaunched else { return }
        isLaunched = true
        place.observeAccount()
        owner = place.account.owner
        note(path)
        await place.launch(opensLink: !path.isEmpty)
    }

    /// Notes that the stack shows a path. A path that a restore has set is not the person's navigation.
    func note(_ path: [Route]) {
        // Until the stack shows the present account's path, it shows the path of the account before.
        guard path != shown, owner == place.account.owner else { return }
        shown = path
        navigator.path = path
        place.noteNavigation()
    }

    /// Returns the path that the stack must show after a restore.
    func restoredPath() -> [Route] {
        shown = navigator.path
        if !place.needsFirstScreen { owner = place.account.owner }
        return shown
    }
}
