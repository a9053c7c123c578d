public import PlacekeeperClient
public import PlacekeeperRuntime

/// The place and the values of a window, which a scene of the client keeps. The adapters for SwiftUI, UIKit and AppKit
/// use this class, and so can an app with another user interface.
///
/// Launch it once. Before the launch has ended, nothing is saved. If the device is locked, a later call of `launch()`, or the
/// next change, launches again.
///
/// A change counts as the person's work if the app marks it (`noteNavigation()`, `setNeedsSave(isInteraction: true)`).
/// Before the launch has ended, every other change is the app's own, such as its first selection: a restore goes over
/// it. After the launch, a change counts unless the app says otherwise. The SwiftUI adapter sees the person's touches and
/// keys. There, a change counts only if the person has acted in the window.
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
    /// The app's navigation, which the place keeps. Nil for a window that keeps only values. A navigator that keeps its
    /// place is not released before this property is nil.
    public var navigator: (any PlaceNavigator)?
    /// Runs when a state was restored.
    public var didRestore: (@MainActor () -> Void)?

    /// The seconds for which a needed save waits for later changes.
    static let saveDelay = 0.3

    var content = Content() {
        didSet { bindToAccount() }
    }
    /// The keys of the values for every layout, the last changed one last.
    var placeKeys: [String] = []
    /// The parts that the last saved state leaves out, because of a filter or a limit.
    public internal(set) var omissions: Set<Placekeeper.Omission> = []
    /// The names of the parts that the last saved state leaves out: keys of values and items, and names of parameters. Also
    /// the keys of values for every layout that belong to this layout alone, because the place cannot hold them.
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
    /// The last launch. Nil before the first one.
    private(set) var launching: Task<Launch, Never>?
    private(set) var isLaunching = false
    /// Whether the window is to be launched again, because the account changed, or because the device was locked.
    var needsLaunch = false
    /// Whether the screens of the account before are still shown.
    var needsFirstScreen = false
    /// Whether the launch restored nothing.
    var isFresh = false
    /// Whether the person has navigated while a state was being restored.
    var isInterrupted = false
    /// Whether the person has changed something else while a state was being restored.
    var hasWorkedMeanwhile = false
    /// The number of changes that count as the person's work. A state that arrives after one is not restored.
    var workCount = 0
    /// Whether the launch has ended, or restores its state.
    var hasLaunched = false
    /// Whether the person touched the window or pressed a key since the window appeared, was restored, or came back.
    private(set) var hasInput = false
    /// Returns whether an adapter sees each touch and key in the window now. Nil if no adapter does.
    var seesInput: (@MainActor () -> Bool)?
    private var neededSave: (delayed: DelayedSave, change: Change)?
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

    /// Launches the scene, restores its state, and reports the outcome. If the person has worked in the window before the
    /// state arrived, nothing is restored: the window's state is saved, and the launch offers the state with the reason
    /// `overtaken`.
    ///
    /// The launch belongs to the place. It goes on if the task is canceled, and a later call returns its result.
    /// - Parameters:
    ///   - opensLink: Whether the window already shows a place that the person chose, such as a link. Nothing is
    ///     restored then. See `noteNavigation()`.
    ///   - activity: An activity that the person continues in this window, such as the activity of Handoff. Its place is
    ///     shown and saved, and the scene's state is not restored. If the activity has no place, or its first screen
    ///     cannot be reached, the scene's state is restored.
    @discardableResult
    public func launch(opensLink: Bool = false, continuing activity: PlaceActivity? = nil) async -> Launch {
        observeAccount()
        if let launching, isLaunching || !needsLaunch {
            if opensLink { noteNavigation() } else if let activity { await self.continue(activity) }
            return await launching.value
        }
        if opensLink { workCount += 1 }
        return await startLaunch(continuing: activity).value
    }

    /// Begins a launch, which belongs to the place.
    func startLaunch(continuing activity: PlaceActivity? = nil) -> Task<Launch, Never> {
        let task = Task { await launchOnce(continuing: activity) }
        (launching, isLaunching) = (task, true)
        return task
    }

    private func launchOnce(continuing activity: PlaceActivity?) async -> Launch {
        defer { advertiser?.update() }
        await showFirstScreen()
        if workCount == 0, let activity, await show(activity) { workCount += 1 }
        var launch: Launch
        repeat {
            needsLaunch = false
            await showFirstScreen()
            launch = await scene.launch(device)
            noteAccount()
        } while needsLaunch
        isLaunching = false
        needsLaunch = launch.reason.code == .locked
        (isSaving, hasLaunched, isFresh) = (launch.reason.code != .locked, true, false)
        guard workCount > 0 else {
            // The app's own first values are no work of the person.
            forgetNeededSave()
            if let served = launch.restore {
                await restore(served)
            } else {
                // The first screen is no work of the person either.
                noteSaved()
                isFresh = true
            }
            return launch
        }
        if let served = launch.restore {
            let offer = scene.skip(served)
            launch.restore = nil
            launch.offer = launch.offer ?? offer
            launch.reason = .init(.overtaken)
        }
        save(isInteraction: true)
        return launch
    }

    /// Saves the state if it has changed, after 0.3 seconds. Many calls save once. A flush of the client saves at once.
    /// - Parameter isInteraction: True if the person changed the state, and false if the app did: such a change is a
    ///   view-only capture, which never replaces newer work on another device. Nil to let the place decide.
    public func setNeedsSave(isInteraction: Bool? = nil) {
        bindToAccount()
        let change = Change(isInteraction, in: self)
        if change > .program { workCount += 1 }
        if needsLaunch, !isLaunching { _ = startLaunch() }
        guard !isRestoring else {
            if change > .program { hasWorkedMeanwhile = true }
            return
        }
        if let needed = neededSave {
            neededSave?.change = max(needed.change, change)
        } else {
            // The app may release the window before the state is saved.
            let delayed = scene.save(after: Self.saveDelay) { [self] in saveIfNeeded() }
            neededSave = (delayed, change)
        }
    }

    /// Saves the state now if it has changed.
    /// - Parameter isInteraction: As for `setNeedsSave(isInteraction:)`. Changes that wait count as they were told.
    public func save(isInteraction: Bool? = nil) {
        save(as: Change(isInteraction, in: self))
    }

    private func save(as change: Change) {
        let change = max(change, neededSave?.change ?? .program)
        forgetNeededSave()
        guard isSaving, !isRestoring, present != saved, scene.account.owner == account.owner else { return }
        saved = present
        scene.save(archiveToSave(), interaction: change.interaction, of: account.owner)
        advertiser?.update()
    }

    func forgetNeededSave() {
        neededSave?.delayed.cancel()
        neededSave = nil
    }

    /// Saves the state if a save is needed.
    func saveIfNeeded() {
        if neededSave != nil { save(as: .program) }
    }

    /// Notes that the window's present content needs no save.
    func noteSaved() {
        saved = present
        scene.noteShown(archive(), of: account.owner)
    }

    /// Notes that the person touched the window or pressed a key.
    func noteInput() { hasInput = true }

    /// Notes that the person left the window, or that it shows a restored state.
    func forgetInput() { hasInput = false }

    /// The window's content now.
    var present: Content {
        var present = content
        present.steps = navigator?.placeSteps
        return present
    }
}
