import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperModels

extension KeptPlace {
    /// Saves the window's state, takes the state of an offer, restores it, and reports the outcome. If the user works
    /// in the window before the state arrives, or if the task is canceled, nothing is restored, and the state is still
    /// offered.
    /// - Returns: Whether the state was restored.
    /// - Throws: The error of `KeptScene.take(_:on:)`. The window is then unchanged.
    @discardableResult
    func take(_ offer: Placekeeper.Offer) async throws(PlacekeeperError) -> Bool {
        save(isInteraction: false)
        let before = workCount
        let served = try await scene.take(offer, on: device)
        noteAccount()
        guard served.owner == account.owner, workCount == before, !Task.isCancelled else {
            scene.skip(served)
            saveIfNeeded()
            return false
        }
        // A launch in progress must not restore its state over the one that the user took.
        workCount += 1
        await restore(served)
        return true
    }

    /// Restores a state. If only the place may be restored, restores the place and the values for every layout. Reports
    /// a failure immediately, and success when the restore has ended well (`KeptScene.launch(_:)`). Restores nothing if
    /// the account changed since the state was served.
    /// - Returns: The screens that were reached. Nil if the archive has no place, or the window has no navigator.
    @discardableResult
    func restore(_ served: Served) async -> PlaceRestoration? {
        observeAccount()
        guard served.owner == account.owner else { return nil }
        scene.willShow(served)
        let archive = served.isOwn ? served.archive : served.archive.ofAnotherDevice
        let (place, isInterrupted) = await perform(archive, served.fidelity, isSaved: true)
        if let place {
            // If an item hasn't arrived, or the user went elsewhere, the state hasn't failed.
            let isPart = waiting != nil || isInterrupted
            scene.didShow(isPart ? Outcome(.restored, step: place.reached.count) : Outcome(place), of: served)
        } else {
            let hasValues = served.fidelity == .place && served.archive.place?.values.isEmpty == false
            scene.didShow(served.fidelity == .full || hasValues ? .restored : .abandoned, of: served)
        }
        return place
    }

    /// Restores an archive that didn't come from the service. Reports and saves nothing: for an activity that the user
    /// continues, call `continue(_:)`.
    @discardableResult
    func restore(_ archive: StateArchive, _ fidelity: RestorationFidelity) async -> PlaceRestoration? {
        await perform(archive, fidelity, isSaved: true).place
    }

    /// Restores an archive, after any restore in progress.
    /// - Parameter isSaved: Whether the restored content needn't be saved.
    func perform(
        _ archive: StateArchive, _ fidelity: RestorationFidelity, isSaved: Bool
    ) async -> (place: PlaceRestoration?, isInterrupted: Bool) {
        guard fidelity != .none else { return (nil, false) }
        let archive = fidelity == .full ? archive.withWholeSteps : archive
        let owner = account.owner
        await waitForRestore()
        guard account.owner == owner else { return (nil, true) }
        saveIfNeeded()
        restoring = Restoring()
        forgetInput()
        restoreCount += 1
        content.read(archive, fidelity)
        placeKeys = content.placeValues.keys.sorted()
        waiting = nil
        var result: PlaceRestoration?
        if let navigator, archive.place != nil {
            // The items of the previous place are on no screen of this one.
            if fidelity == .place { content.elements = [:] }
            await navigator.goToFirstScreen()
            result = await archive.restorePlace(through: stopping(navigator))
            note(result)
            waiting = restoring?.isInterrupted == true ? nil : WaitingPlace(archive, result, navigator.placeSteps)
        }
        return (result, endRestoring(isSaved: isSaved))
    }

    /// Waits until no restore is in progress.
    func waitForRestore() async {
        while restoring != nil { await withCheckedContinuation { restoring?.waiters.append($0) } }
    }

    /// Continues a restore that stopped at an item that hadn't arrived, unless the user has navigated since. Also looks
    /// again for items that the state waits for. Call this method when data has arrived.
    func lookAgain() async {
        guard let navigator else { return }
        guard restoring == nil else {
            restoring?.needsLook = true
            return
        }
        guard let rest = waiting?.rest(navigator.placeSteps) else {
            saveIfNeeded()
            if await navigator.lookAgain(), restoring == nil {
                saveIfNeeded()
                noteSaved()
                didRestore?()
            }
            return
        }
        saveIfNeeded()
        restoring = Restoring()
        let result = await rest.restorePlace(through: stopping(navigator))
        waiting = WaitingPlace(rest, result, navigator.placeSteps, after: waiting)
        _ = endRestoring(isSaved: true)
    }

    /// Logs, for the app's developers, why a place ended before its last screen.
    private func note(_ result: PlaceRestoration?) {
        guard restoring?.isInterrupted != true, let screen = result?.stopped, let reason = result?.reason else {
            return
        }
        DeveloperLog.write("The place of the scene \(scene.name) ends before the screen \"\(screen)\": \(reason).")
    }

    private func stopping(_ navigator: any PlaceNavigator) -> StoppingNavigator {
        // The navigator is used only during a restore by this object, which outlives the restore.
        StoppingNavigator(navigator) { [unowned self] in restoring?.isInterrupted == true }
    }

    /// Ends a restore, and returns whether the user navigated in the meantime. The user's place is saved then.
    private func endRestoring(isSaved: Bool) -> Bool {
        guard let ended = restoring else { return false }
        restoring = nil
        if ended.isInterrupted { waiting = nil }
        if ended.isInterrupted || ended.hasWork {
            save(isInteraction: true)
        } else if isSaved {
            noteSaved()
        }
        didRestore?()
        advertiser?.update()
        for waiter in ended.waiters { waiter.resume() }
        if ended.needsLook { Task { await lookAgain() } }
        return ended.isInterrupted
    }
}

/// The navigator for a restore. It goes no further once the user has navigated.
@MainActor
private final class StoppingNavigator: StepReaching {
    private let navigator: any PlaceNavigator
    private let isStopped: @MainActor () -> Bool

    init(_ navigator: any PlaceNavigator, isStopped: @escaping @MainActor () -> Bool) {
        self.navigator = navigator
        self.isStopped = isStopped
    }

    func go(to step: PlaceStep) async -> Bool { await reach(step) == nil }

    func reach(_ step: PlaceStep) async -> PlaceRestoration.Reason? {
        isStopped() ? .init(.declined) : await navigator.reach(step)
    }
}

extension StateArchive {
    /// The archive as a device reads the state of another device.
    var ofAnotherDevice: StateArchive {
        var archive = self
        archive.references = references.map(\.ofAnotherDevice)
        return archive
    }
}
