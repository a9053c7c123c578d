import PlacekeeperArchive
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
    /// Whether the app says which layout the window has.
    private let hasOwnLayout: Bool

    init(
        _ scene: KeptScene, _ lists: [any ModelAssociation], title: String?, _ device: RestorationContext,
        _ denyList: DenyList
    ) {
        navigator = RouteNavigator(lists: lists, rootTitle: title)
        place = KeptPlace(scene, navigator: navigator, device: device, denyList: denyList)
        owner = place.account.owner
        hasOwnLayout = device.layout != nil
    }

    /// Launches the scene at the first call. If the path is not empty then, it is a link that the person opened. A later
    /// call, for a view that appears again, waits for the end of this launch.
    func launch(showing path: [Route]) async {
        if !isLaunched {
            isLaunched = true
            place.observeAccount()
            owner = place.account.owner
            if !path.isEmpty {
                show(path)
                place.noteNavigation()
            }
        }
        await place.launch()
    }

    /// Notes that the stack shows a path. A path that a restore has set is nobody's navigation.
    func note(_ path: [Route]) {
        // Until the stack shows the present account's path, it shows the path of the account before.
        guard path != shown, owner == place.account.owner else { return }
        if place.isPersonsTurn {
            show(path)
            place.noteNavigation()
        } else if !place.isRestoring {
            show(path)
            place.setNeedsSave(isInteraction: false)
        }
    }

    private func show(_ path: [Route]) {
        shown = path
        navigator.path = path
    }

    /// Returns the path that the stack must show after a restore.
    func restoredPath() -> [Route] {
        shown = navigator.path
        if !place.needsFirstScreen { owner = place.account.owner }
        return shown
    }

    /// Returns the path that the stack must show, because a restore has changed it while the view was away. Nil if
    /// nothing has.
    func missedPath() -> [Route]? {
        let earlier = shown
        let path = restoredPath()
        return path == earlier ? nil : path
    }

    /// Notes the layout of the window, by its size class. The app's own layout takes precedence.
    func noteLayout(_ layout: ArchiveLayout?) {
        if !hasOwnLayout { place.device.layout = layout }
    }

    /// Notes that the window is not active any more. A needed save does not wait in the background.
    func leave(isBackground: Bool) {
        place.save(isInteraction: false)
        // What changes before the person's next touch is not the person's.
        if isBackground { place.forgetInput() }
    }
}
