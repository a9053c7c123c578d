public import PlacekeeperClient
public import PlacekeeperRuntime

/// The place and the values of a window, which a scene of the client keeps. The adapters for SwiftUI, UIKit and AppKit
/// use this class, and so can an app with another user interface.
///
/// Launch it once. Before the launch has ended, and if the device is locked, nothing is saved.
///
/// The content belongs to an account. After a sign-out, an erasure, and whenever another person uses the app, the place forgets
/// its content, goes to its first screen, and launches again. After a sign-in and a link the content goes along, and the place
/// launches again only if it shows nothing yet.
@MainActor
public final class KeptPlace {
    /// The scene that keeps the place.
    public internal(set) var scene: KeptScene
    /// The idiom, layout and versions of this device. An app whose layout changes sets it.
    public var device: RestorationContext
    /// The names of values that are never saved.
    public let denyList: DenyList
    /// The app's navigation. Nil for a window that keeps only values.
    public weak var navigator: (any PlaceNavigator)?
    /// Runs when a state was restored.
    public var didRestore: (@MainActor () -> Void)?

    /// The seconds for which a needed save waits for later changes.
    static let saveDelay = 0.3

    var content = Content()
    /// The parts that the last saved state leaves out, because of a filter or a limit.
    public internal(set) var omissions: Set<Placekeeper.Omission> = []
    /// The names of the parts that the last saved state leaves out: keys of values and items, and names of parameters.
    public var omittedKeys: Set<String> { Set(omissions.map(\.name)) }
    /// The number of states that were restored.
    var restoreCount = 0
    /// The content that is on the client's queue, or that was restored.
    var saved: Content?
    var isSaving = false
    var isRestoring = false
    /// The account to which the content belongs, by the client's count.
    var account: AccountNumbers
    var isObserving = false
    var isLaunching = false
    var isLaunched = false
    /// Whether the window is to be launched, because the account changed.
    var needsLaunch = false
    /// Whether the screens of the account before are still shown.
    var needsFirstScreen = false
    /// The task that launches the window again after a change of the account.
    var launching: Task<Void, Never>?
    /// The content after a launch that restored nothing.
    var fresh: Content?
    /// Whether the person has navigated while a state was being restored.
    var isInterrupted = false
    /// Whether the person has navigated since the place was made. A launch then restores nothing.
    var hasNavigated = false
    private var neededSave: (delayed: DelayedSave, isInteraction: Bool)?
    var restoreWaiters: [CheckedContinuation<Void, Never>] = []
    var waiting: WaitingPlace?
    /// Advertises the place. Nil until an adapter does.
    var advertiser: ActivityAdvertiser?
    /// The role of the window: the name of the scene with which the place was made.
    let role: String
    /// The name that this window has, and no other.
    var windowName: TakenName?
    #if canImport(UIKit) || canImport(AppKit)
        var observers: NotificationObservers?
    #endif

    /// Creates the place of a window. Reads and sends nothing.
    public init(
        _ scene: KeptScene, navigator: (any PlaceNavigator)? = nil, device: RestorationContext = .ofThisDevice,
        denyList: DenyList = .standard
    ) {
        self.scene = scene
        role = scene.name
        self.navigator = navigator
        self.device = device
        self.denyList = denyList
        account = scene.account
    }

    /// Launches the scene, restores its state, and reports the outcome. If the person has navigated or has changed a
    /// value before the state arrived, nothing is restored, and the window's state is saved.
    /// - Parameters:
    ///   - opensLink: Whether the window already shows a place that the person chose, such as a link. Nothing is
    ///     restored then. See `noteNavigation()`.
    ///   - activity: An activity that the person continues in this window, such as the activity of Handoff. Its place is
    ///     shown and saved, and the scene's state is not restored. If the activity has no place, or its first screen
    ///     cannot be reached, the scene's state is restored.
    @discardableResult
    public func launch(opensLink: Bool = false, continuing activity: PlaceActivity? = nil) async -> Launch {
        defer { advertiser?.update() }
        observeAccount()
        (isLaunching, isLaunched) = (true, true)
        if opensLink { hasNavigated = true }
        if !hasNavigated, let activity, await show(activity) { hasNavigated = true }
        var before: Content
        var launch: Launch
        repeat {
            needsLaunch = false
            await showFirstScreen()
            before = present
            launch = await scene.launch(device)
            noteAccount()
        } while needsLaunch
        isLaunching = false
        isSaving = launch.reason.code != .locked
        guard hasNavigated || present != before else {
            // The app's own first values are no work of the person.
            forgetNeededSave()
            fresh = nil
            if let served = launch.restore {
                await restore(served)
            } else {
                // The first screen is no work of the person either.
                saved = present
                fresh = present
            }
            return launch
        }
        if let served = launch.restore { scene.skip(served) }
        save()
        return launch
    }

    /// Saves the state if it has changed, after 0.3 seconds. Many calls save once. A flush of the client saves at once.
    /// - Parameter isInteraction: Whether the person changed the state. A change such as a scroll position is a glance:
    ///   it never replaces newer work on another device.
    public func setNeedsSave(isInteraction: Bool = true) {
        guard !isRestoring else { return }
        if let needed = neededSave {
            neededSave?.isInteraction = needed.isInteraction || isInteraction
        } else {
            // The app may release the window before the state is saved.
            let delayed = scene.save(after: Self.saveDelay) { [self, navigator] in
                withExtendedLifetime(navigator) { saveIfNeeded() }
            }
            neededSave = (delayed, isInteraction)
        }
    }

    /// Saves the state now if it has changed.
    public func save(isInteraction: Bool = true) {
        let isInteraction = isInteraction || neededSave?.isInteraction ?? false
        forgetNeededSave()
        guard isSaving, !isRestoring, present != saved, scene.account.owner == account.owner else { return }
        saved = present
        scene.save(archiveToSave(), interaction: isInteraction ? .now : .none, of: account.owner)
        advertiser?.update()
    }

    func forgetNeededSave() {
        neededSave?.delayed.cancel()
        neededSave = nil
    }

    /// Saves the state if a save is needed.
    func saveIfNeeded() {
        if let needed = neededSave { save(isInteraction: needed.isInteraction) }
    }

    /// The window's content now.
    var present: Content {
        var present = content
        present.steps = navigator?.placeSteps
        return present
    }
}
