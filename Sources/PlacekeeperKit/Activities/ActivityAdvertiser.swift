import PlacekeeperArchive
import PlacekeeperClient

/// Advertises a window's place to the user's nearby devices (Handoff) while the window is in use.
@MainActor
final class ActivityAdvertiser {
    /// Whether the user is using the window.
    var isActive = false {
        didSet { update() }
    }

    private weak var place: KeptPlace?
    private let show: @MainActor (PlaceActivity?) -> Void
    private var shown: PlaceActivity?

    /// - Parameters:
    ///   - place: The place, which keeps the advertiser.
    ///   - show: Makes an activity the system's current one. Nil withdraws the last activity.
    init(_ place: KeptPlace, show: @escaping @MainActor (PlaceActivity?) -> Void) {
        self.place = place
        self.show = show
    }

    /// Advertises the window's current place. After a change, this window's activity becomes the current one again: if
    /// another window is beside it, the user used this window last.
    func update() {
        let activity = isActive ? place?.continuableActivity : nil
        guard activity != shown else { return }
        shown = activity
        show(activity)
    }
}

extension KeptPlace {
    /// The activity that another device can continue. Nil before the launch has ended, while a state is being restored,
    /// and if the window has no place or the place is too large.
    fileprivate var continuableActivity: PlaceActivity? {
        // Another device continues only the place, so the values are left out.
        guard savesChanges, restoring == nil,
            let archive = archive().placeOnly(within: PlaceActivity.maximumArchiveSize)?.archive, archive.place != nil
        else { return nil }
        return PlaceActivity(scene: scene.name, archive: archive)
    }
}
