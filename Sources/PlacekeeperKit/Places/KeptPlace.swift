import PlacekeeperClient
import PlacekeeperModels

/// The place and the values of a window, which are kept in a scene of the client.
///
/// Launch it once. Until the launch has ended, nothing is saved. If the device is locked, a later call of `launch()` or
/// the next change launches again.
///
/// A change counts as the user's work if the app marks it (`noteNavigation()`, `setNeedsSave(isInteraction: true)`).
/// Until the launch has ended, every other change is the app's own, such as its first selection, and a restore replaces
/// it. After the launch, a change counts unless the app says otherwise. The SwiftUI adapter observes the user's touches
/// and keys, so there a change counts only if the user has acted in the window.
///
/// The content belongs to an account. After a sign-out, an erasure, and whenever another user takes over the app, the
/// place drops its content, goes to its first screen, and launches again. After a sign-in or a link, it keeps its
/// content, and launches again only if it shows nothing yet.
@MainActor
final class KeptPlace {
    /// The scene that keeps the place.
    var scene: KeptScene
    /// The idiom, layout and versions of this device. Set it when the app's layout changes.
    var device: RestorationContext
    /// The app's navigation, whose place is kept. Nil for a window that keeps only values. If the navigator retains
    /// this object, neither is released until this property is nil.
    var navigator: (any PlaceNavigator)?
    /// Called after a state was restored.
    var didRestore: (@MainActor () -> Void)?

    /// How long a save waits for later changes, in seconds.
    static let saveDelay = 0.3

    var content = Content() {
        didSet { bindToAccount() }
    }
    /// The keys of the values for every layout, ordered by their last change.
    var placeKeys: [String] = []
    /// The parts that the last saved state leaves out, because of a filter or a limit.
    var omissions: Set<Placekeeper.Omission> = []
    /// The names of the parts that the last saved state leaves out: keys of values and items, and names of parameters.
    /// Also the keys of values for every layout that are saved only for this layout, because the place can't hold them.
    var omittedKeys: Set<String> { Set(omissions.map(\.name)) }
    /// The number of states that were restored.
    var restoreCount = 0
    /// The content that is on the client's queue, or that was restored.
    var saved: Content?
    /// The restore in progress.
    var restoring: Restoring?
    /// The client's numbers for the account that the content belongs to.
    var account: AccountNumbers
    var isObserving = false
    /// How the last launch ended.
    var launched = Launched.never
    /// The last launch. Nil before the first one.
    private(set) var launching: Task<Launch, Never>?
    private(set) var isLaunching = false
    /// Whether the window must launch again, because the account changed or the device was locked.
    var needsLaunch = false
    /// Whether the previous account's screens are still shown.
    var needsFirstScreen = false
    /// The number of changes that count as the user's work. A state that arrives after such a change isn't restored.
    var workCount = 0
    /// Whether the user touched the window or pressed a key since the window appeared, was restored, or came back.
    private(set) var hasInput = false
    /// Returns whether an adapter currently observes each touch and key in the window. Nil without such an adapter.
    var seesInput: (@MainActor () -> Bool)?
    private var neededSave: (delayed: DelayedSave, change: Change)?
    var waiting: WaitingPlace?
    /// Advertises the place. Nil until an adapter sets it.
    var advertiser: ActivityAdvertiser?
    /// The role of the window: the name of the scene that the place was created with.
    let role: String
    /// The scene name that only this window uses.
    var windowName: TakenName?

    /// Creates the place of a window. Reads and sends nothing.
    init(
        _ scene: KeptScene, navigator: (any PlaceNavigator)? = nil, device: RestorationContext
    ) {
        self.scene = scene
        role = scene.name
        self.navigator = navigator
        self.device = device
        account = scene.account
    }

    /// Launches the scene, restores its state, and reports the outcome. If the user works in the window before the
    /// state arrives, nothing is restored: the window's state is saved, and the launch offers the state with the reason
    /// `overtaken`.
    ///
    /// The launch belongs to the place. It continues if the task is canceled, and a later call returns its result.
    @discardableResult
    func launch() async -> Launch {
        observeAccount()
        if let launching, isLaunching || !needsLaunch { return await launching.value }
        return await startLaunch().value
    }

    /// Starts a launch, which belongs to the place.
    func startLaunch() -> Task<Launch, Never> {
        let task = Task { await launchOnce() }
        (launching, isLaunching) = (task, true)
        return task
    }

    private func launchOnce() async -> Launch {
        defer { advertiser?.update() }
        var launch: Launch
        repeat {
            needsLaunch = false
            await showFirstScreen()
            launch = await scene.launch(device)
            noteAccount()
        } while needsLaunch
        isLaunching = false
        needsLaunch = launch.reason.code == .locked
        launched = launch.reason.code == .locked ? .locked : .shown
        guard workCount > 0 else {
            // The app's own first values are not the user's work.
            forgetNeededSave()
            if let served = launch.restore {
                await restore(served)
            } else {
                // The first screen isn't the user's work either.
                noteSaved()
                if launched == .shown { launched = .fresh }
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

    /// Saves the state within 0.3 seconds if it has changed, once for many calls. A flush of the client saves
    /// immediately.
    /// - Parameter isInteraction: True if the user changed the state. False if the app did: the change is then a
    ///   view-only capture, which never replaces newer work on another device. Nil to let the place decide.
    func setNeedsSave(isInteraction: Bool? = nil) {
        bindToAccount()
        let change = Change(isInteraction, in: self)
        if change > .program { workCount += 1 }
        if needsLaunch, !isLaunching { _ = startLaunch() }
        guard restoring == nil else {
            if change > .program { restoring?.hasWork = true }
            return
        }
        if let needed = neededSave {
            neededSave?.change = max(needed.change, change)
        } else {
            // Keep this object, because the app may release the window before the state is saved.
            let delayed = scene.save(after: Self.saveDelay) { [self] in saveIfNeeded() }
            neededSave = (delayed, change)
        }
    }

    /// Saves the state now if it has changed.
    /// - Parameter isInteraction: As in `setNeedsSave(isInteraction:)`. Changes that wait to be saved keep the value
    ///   with which they were reported.
    func save(isInteraction: Bool? = nil) {
        save(as: Change(isInteraction, in: self))
    }

    private func save(as change: Change) {
        let change = max(change, neededSave?.change ?? .program)
        forgetNeededSave()
        guard savesChanges, restoring == nil, present != saved, scene.account.owner == account.owner else { return }
        saved = present
        let (archive, encoded) = archiveToSave()
        scene.save(archive, encoded: encoded, interaction: change.interaction, of: account.owner)
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

    /// Records that the window's current content needn't be saved.
    func noteSaved() {
        saved = present
        scene.noteShown(archive(), of: account.owner)
    }

    /// Records that the user touched the window or pressed a key.
    func noteInput() { hasInput = true }

    /// Records that the user left the window, or that it shows a restored state.
    func forgetInput() { hasInput = false }

    /// The window's current content.
    var present: Content {
        var present = content
        present.steps = navigator?.placeSteps
        return present
    }
}

extension KeptPlace {
    /// How the window's last launch ended.
    enum Launched {
        /// It has not ended, or was another user's.
        case never
        /// The device was locked. The window must launch again, and saves nothing until then.
        case locked
        /// Nothing was restored, and the user had done nothing.
        case fresh
        /// The window shows a restored state or the user's work.
        case shown
    }

    /// A restore in progress.
    struct Restoring {
        /// Whether the user has navigated since it began.
        var isInterrupted = false
        /// Whether the user has changed anything else since it began.
        var hasWork = false
        /// Whether items have arrived since it began.
        var needsLook = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// Whether the window's changes are saved.
    var savesChanges: Bool { launched == .fresh || launched == .shown }
}
