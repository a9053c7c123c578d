import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperModels

/// The logic of a window whose state is a binding, such as the path of a `NavigationStack`.
@MainActor
final class ValueWindow<Value: Codable & Equatable> {
    let place: KeptPlace
    let navigator: ValueNavigator<Value>
    /// The value that was shown last, through the user or a restore.
    private var shown: Value
    private var isLaunched = false
    /// The number of the account owner whose value is shown.
    private var owner: Int
    /// The stamps of the items that the window uses.
    private var stamps: [ItemsStamp] = []
    /// Whether the app sets the window's layout.
    private let hasOwnLayout: Bool

    init(_ scene: KeptScene, showing value: Value, title: String? = nil, device: RestorationContext? = nil) {
        // A view that is made again may show an account's work already.
        let fresh = scene.freshValue(value)
        navigator = ValueNavigator(value, fresh: fresh, title: title)
        shown = value
        place = KeptPlace(scene, navigator: navigator, device: device ?? scene.device)
        owner = place.account.owner
        hasOwnLayout = place.device.layout != nil
    }

    /// Launches the scene at the first call. A path that isn't empty then is a link that the user opened. A later call,
    /// for a view that appears again, waits for this launch.
    func launch(showing value: Value) async {
        if !isLaunched {
            isLaunched = true
            place.observeAccount()
            owner = place.account.owner
            if (value as? any PathValue)?.screens.isEmpty == false {
                show(value)
                place.noteNavigation()
            } else if value != shown {
                show(value)
            }
        }
        await place.launch()
    }

    /// Uses the app's present items.
    /// - Returns: The stamps of the items. When they change, a restore that waits for an item continues
    ///   (`KeptPlace.lookAgain()`).
    func use(_ sources: [any ItemSource], title: String?) -> [ItemsStamp] {
        navigator.title = title
        let present = sources.indices.map { index in
            sources[index].stamp(after: index < stamps.count ? stamps[index] : nil)
        }
        let isSame = present.count == stamps.count && zip(present, stamps).allSatisfy { $0.isSame(as: $1) }
        if !isSame { navigator.lists = sources.map(\.list) }
        stamps = present
        return present
    }

    /// Records that the window shows a value. A value that was set by a restore isn't the user's work.
    func note(_ value: Value) {
        // Until the window shows the current account's value, it shows the previous account's.
        guard value != shown, owner == place.account.owner else { return }
        if place.isPersonsTurn {
            show(value)
            place.noteNavigation()
        } else if place.restoring == nil {
            show(value)
            place.setNeedsSave(isInteraction: false)
        }
    }

    private func show(_ value: Value) {
        shown = value
        navigator.show(value)
    }

    /// Returns the value to show after a restore.
    func restoredValue() -> Value {
        shown = navigator.value ?? shown
        if !place.needsFirstScreen { owner = place.account.owner }
        return shown
    }

    /// Returns the value to show, if a restore changed it while the view was away. Nil if not.
    func missedValue() -> Value? {
        let earlier = shown
        let value = restoredValue()
        return value == earlier ? nil : value
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
