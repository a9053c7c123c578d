public import KeyedArchive
public import PlacekeeperClient
public import StateRestoration

/// The place and the values of a window, which a scene of the client keeps. The adapters for SwiftUI, UIKit and AppKit
/// use this class, and so can an app with another user interface.
///
/// Launch it once. Before the launch has ended, and if the device is locked, nothing is saved.
@MainActor
public final class KeptPlace {
    /// The scene that keeps the place.
    public let scene: KeptScene
    /// The idiom, layout and versions of this device. An app whose layout changes sets it.
    public var device: RestorationContext
    /// The names of values that are never saved.
    public let denyList: DenyList
    /// The app's navigation. Nil for a window that keeps only values.
    public weak var navigator: (any PlaceNavigator)?
    /// Runs when a state was restored.
    public var didRestore: (@MainActor () -> Void)?

    var content = Content()
    /// The content that is on the client's queue, or that was restored.
    private var saved: Content?
    private var isSaving = false
    private var isRestoring = false
    /// Whether the person has navigated while a state was being restored.
    private var isInterrupted = false
    private var neededSave: (task: Task<Void, Never>, isInteraction: Bool)?
    var waiting: WaitingPlace?

    /// Creates the place of a window. Reads and sends nothing.
    public init(
        _ scene: KeptScene, navigator: (any PlaceNavigator)? = nil, device: RestorationContext = .ofThisDevice,
        denyList: DenyList = .standard
    ) {
        self.scene = scene
        self.navigator = navigator
        self.device = device
        self.denyList = denyList
    }

    /// Launches the scene, restores its state, and reports the outcome. If the person has navigated or has changed a
    /// value before the state arrived, nothing is restored, and the window's state is saved.
    /// - Parameter opensLink: Whether the window already shows a place that the person chose, such as a link. Nothing is
    ///   restored then.
    @discardableResult
    public func launch(opensLink: Bool = false) async -> Launch {
        let before = present
        let launch = await scene.launch(device)
        isSaving = launch.reason.code != .locked
        let isInUse = opensLink || present != before
        if let served = launch.restore {
            if !isInUse {
                await restore(served)
                return launch
            }
            scene.report(.abandoned, of: served)
        }
        if isInUse { save() }
        return launch
    }

    /// Saves the window's state, takes the state of an offer, restores it, and reports the outcome.
    /// - Throws: The error of `KeptScene.take(_:on:)`. The window then stays as it is.
    public func take(_ offer: Offer) async throws(PlacekeeperError) {
        save(isInteraction: false)
        await restore(try await scene.take(offer, on: device))
    }

    /// Restores a state, and reports the outcome. Restores the values only if the full state may be restored.
    /// - Returns: The screens that were reached. Nil if the archive has no place, or the window has no navigator.
    @discardableResult
    public func restore(_ served: Served) async -> PlaceRestoration? {
        let place = await restore(served.archive, served.fidelity)
        if let place {
            let isPart = waiting != nil
            scene.report(isPart ? Outcome(.restored, step: place.reached.count) : Outcome(place), of: served)
        } else {
            scene.report(served.fidelity == .full ? .restored : .abandoned, of: served)
        }
        return place
    }

    /// Restores an archive that did not come from the service, such as the archive of Handoff. Nothing is reported.
    @discardableResult
    public func restore(_ archive: StateArchive, _ fidelity: RestorationFidelity) async -> PlaceRestoration? {
        guard fidelity != .none else { return nil }
        isRestoring = true
        if fidelity == .full { content.read(archive) }
        waiting = nil
        var result: PlaceRestoration?
        if let navigator, archive.place != nil {
            await navigator.goToFirstScreen()
            result = await archive.restorePlace(through: navigator)
            waiting = WaitingPlace(archive, result, navigator.placeSteps)
        }
        endRestoring()
        return result
    }

    /// Continues a restore that stopped at an item that had not arrived, if the person has not navigated since. Call this
    /// method when data has arrived.
    public func lookAgain() async {
        guard let navigator, let rest = waiting?.rest(navigator.placeSteps), !isRestoring else { return }
        isRestoring = true
        let result = await rest.restorePlace(through: navigator)
        waiting = WaitingPlace(rest, result, navigator.placeSteps, after: waiting)
        endRestoring()
    }

    /// Saves the state if it has changed, at the end of the present work on the main actor. Many calls save once.
    /// - Parameter isInteraction: Whether the person changed the state. A change such as a scroll position is a glance:
    ///   it never replaces newer work on another device.
    public func setNeedsSave(isInteraction: Bool = true) {
        guard !isRestoring else { return }
        let needed = neededSave?.isInteraction ?? false
        let task = neededSave?.task ?? Task { saveIfNeeded() }
        neededSave = (task, needed || isInteraction)
    }

    /// Saves the state now if it has changed.
    public func save(isInteraction: Bool = true) {
        let isInteraction = isInteraction || neededSave?.isInteraction ?? false
        neededSave?.task.cancel()
        neededSave = nil
        guard isSaving, !isRestoring, present != saved else { return }
        saved = present
        scene.save(archive(), interaction: isInteraction ? .now : .none)
    }

    /// Notes that the person has navigated. If a state is being restored, the person's place is saved when it ends.
    func noteNavigation() {
        isInterrupted = isRestoring
        setNeedsSave()
    }

    private func endRestoring() {
        isRestoring = false
        if isInterrupted {
            (isInterrupted, waiting) = (false, nil)
            save()
        } else {
            saved = present
        }
        didRestore?()
    }

    /// Waits until the save that was needed has been done.
    func waitForNeededSave() async { await neededSave?.task.value }

    private func saveIfNeeded() {
        guard let needed = neededSave, !Task.isCancelled else { return }
        save(isInteraction: needed.isInteraction)
    }

    /// The window's content now.
    private var present: Content {
        var present = content
        present.steps = navigator?.placeSteps
        return present
    }
}
