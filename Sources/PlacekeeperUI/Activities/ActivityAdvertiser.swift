import PlacekeeperArchive
import PlacekeeperClient

/// Advertises the place of a window to the person's devices nearby (Handoff), while the person uses the window.
@MainActor
final class ActivityAdvertiser {
    /// Whether the person uses the window.
    var isActive = false {
        didSet { update() }
    }

    private weak var place: KeptPlace?
    private let show: @MainActor (PlaceActivity?) -> Void
    private var shown: PlaceActivity?

    /// - Parameters:
    ///   - place: The place, which keeps the advertiser.
    ///   - show: Makes an activity the system's current activity. Nil takes the last activity back.
    init(_ place: KeptPlace, show: @escaping @MainActor (PlaceActivity?) -> Void) {
        self.place = place
        self.show = show
    }

    /// Shows the window's place as it is now. After a change, the activity of this window is the current one again: of two
    /// windows side by side, the person used this window last.
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
        // Another device continues the place alone, so the values stay here.
        guard isSaving, !isRestoring,
            let archive = archive().placeOnly(within: PlaceActivity.maximumArchiveSize)?.archive, archive.place != nil
        else { return nil }
        return PlaceActivity(scene: scene.name, archive: archive)
    }
}
