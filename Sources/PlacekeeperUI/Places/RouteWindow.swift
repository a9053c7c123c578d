import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime

/// The logic of a window whose path of routes is shown by another object, such as a `NavigationStack`.
@MainActor
final class RouteWindow<Route: PlaceRoute> {
    let place: KeptPlace
    let navigator: RouteNavigator<Route>
    /// The path that was shown last, through the user or a restore.
    private var shown: [Route] = []
    private var isLaunched = false
    /// The number of the account owner whose path the stack shows.
    private var owner: Int
    /// Whether the app sets the window's layout.
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

    /// Launches the scene at the first call. A path that isn't empty then is a link that the user opened. A later call,
    /// for a view that appears again, waits for this launch.
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

    /// Records that the stack shows a path. A path that was set by a restore isn't the user's navigation.
    func note(_ path: [Route]) {
        // Until the stack shows the current account's path, it shows the previous account's.
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

    /// Returns the path for the stack to show after a restore.
    func restoredPath() -> [Route] {
        shown = navigator.path
        if !place.needsFirstScreen { owner = place.account.owner }
        return shown
    }

    /// Returns the path for the stack to show, if a restore changed it while the view was away. Nil if not.
    func missedPath() -> [Route]? {
        let earlier = shown
        let path = restoredPath()
        return path == earlier ? nil : path
    }

    /// Sets the window's layout from its size class. The app's own layout takes precedence.
    func noteLayout(_ layout: ArchiveLayout?) {
        if !hasOwnLayout { place.device.layout = layout }
    }

    /// Records that the window is no longer active. Pending changes are saved now, rather than waiting in the
    /// background.
    func leave(isBackground: Bool) {
        place.save(isInteraction: false)
        // Changes before the user's next touch aren't the user's.
        if isBackground { place.forgetInput() }
    }
}
