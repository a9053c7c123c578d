public import PlacekeeperArchive
public import PlacekeeperRuntime

/// A scene whose state the client keeps.
public final class KeptScene: Sendable {
    /// The scene's name.
    public let name: String
    let placekeeper: Placekeeper

    init(_ name: String, _ placekeeper: Placekeeper) {
        self.name = name
        self.placekeeper = placekeeper
    }

    /// Saves the scene's state. Returns at once: the state is encoded, written and sent on the client's own queue. If
    /// the state cannot be saved, the client's status says why. Before the process ends by itself, wait for `flush()` or
    /// `waitUntilSaved()`.
    ///
    /// While a launch of the scene waits, a state that the app does not mark with `Interaction.now` or
    /// `noteInteraction()` is the app's first screen. It is saved after the launch, and only if the scene has no state.
    /// - Parameters:
    ///   - archive: The state.
    ///   - interaction: The time of the person's last interaction with the scene. By default, a changed state is the
    ///     person's work, and an unchanged state is a view-only capture.
    ///   - snapshot: An image of the screen, as PNG or JPEG, of at most 2 MiB. It is sent if the operator's settings allow
    ///     snapshots. Other images are left out.
    public func save(_ archive: StateArchive, interaction: Interaction = .ifChanged, snapshot: [UInt8]? = nil) {
        placekeeper.engine.perform { [name] core, now in
            core.save(archive, in: name, interaction, snapshot: snapshot, at: now)
        }
    }

    /// Notes that the person interacts with the scene. A later unchanged state, and a `save` with the interaction `none`,
    /// then count as the person's work, and not as a view-only capture of the restored state. Returns at once. An app whose states
    /// change when the person works need not call it.
    public func noteInteraction() {
        placekeeper.engine.perform { [name] core, now in core.noteInteraction(in: name, at: now) }
    }

    /// Does not restore the newest state of this device again: the person ended the app because the state made it
    /// unusable. Other devices still offer the state. Returns at once.
    public func discard() { placekeeper.engine.perform { [name] core, now in core.discard(name, at: now) } }

    /// Discards the newest state, unless the account has changed since.
    package func discard(of owner: Int) {
        placekeeper.engine.perform { [name] core, now in core.discard(name, of: owner, at: now) }
    }

    /// Saves a state that the runtime has encoded.
    func save(encoded bytes: [UInt8], of owner: Int) {
        placekeeper.engine.perform { [name] core, now in
            core.save(encoded: bytes, in: name, .ifChanged, of: owner, at: now)
        }
    }

    // MARK: - Windows, which know the owner of their content

    /// Notes what the window shows, after a restore or at its first screen. A later state is compared with it.
    package func noteShown(_ archive: StateArchive, of owner: Int) {
        placekeeper.engine.perform { [name] core, _ in core.noteShown(archive, in: name, of: owner) }
    }

    /// Saves the state of a window, unless the account has changed since the window was launched.
    package func save(_ archive: StateArchive, interaction: Interaction, of owner: Int) {
        placekeeper.engine.perform { [name] core, now in
            core.save(archive, in: name, interaction, of: owner, at: now)
        }
    }

    /// Notes that the person interacts with a window.
    package func noteInteraction(of owner: Int) {
        placekeeper.engine.perform { [name] core, now in core.noteInteraction(in: name, of: owner, at: now) }
    }

    /// The account's present owner and the number of joins.
    package var account: AccountNumbers { placekeeper.engine.account }

    /// Runs a closure on the main actor after each change of the account, until it returns false.
    package func observeAccount(_ observer: @escaping @MainActor @Sendable () -> Bool) {
        placekeeper.engine.accountObservers.add(observer)
    }

    /// Decides which state the scene restores at launch, and which state it offers. If the service does not answer within
    /// 50 milliseconds, this device's own state is restored. The launch waits for the service until
    /// `Options.launchDeadline` if this device has no state of the scene, after an update of the app or the system, and if
    /// the service refused the state before, for example because restores of this version are stopped. What the service
    /// answers later is offered (`offers`). Canceling the task does not cancel the launch.
    ///
    /// Launch the scene again after the account changed (`Placekeeper.signOut(pending:)`). What the app had in memory belongs
    /// to the account before.
    ///
    /// A restore has ended well with the person's next interaction, a `flush()`, the app's way to the background, a
    /// reported outcome, or after five seconds. If the process dies before, this version of the app does not restore the
    /// state again. The same holds after two processes in a quarter of an hour, or three in a row, that died within 30
    /// seconds of restoring the state, unless a `flush()` was their last act.
    /// - Parameter device: The device's idiom, layout and versions. Nil for the device of the client's options.
    public func launch(_ device: RestorationContext? = nil) async -> Launch {
        guard placekeeper.options.process == .app else {
            placekeeper.engine.perform { [name] core, _ in core.begin(name) }
            return fresh(.processIsExtension)
        }
        guard ClientCore.isSceneName(name) else {
            return fresh(.init(rawValue: PlacekeeperError.Code.sceneNameInvalid.rawValue))
        }
        let device = device ?? placekeeper.options.device
        while true {
            guard case .launched(let launch) = await placekeeper.engine.result(of: .launch(scene: name, device)) else {
                return fresh(.offline)
            }
            // The account possibly changed before the caller got the result. The scene is then launched for the new one.
            if launch.owner == account.owner { return launch }
        }
    }

    private func fresh(_ code: Launch.Reason.Code) -> Launch { Launch(reason: .init(code), owner: account.owner) }

    /// The newer place of another device. The stream begins with the present one, or nil, and tells each change.
    public var offers: AsyncStream<Offer?> { placekeeper.engine.offers(of: name) }

    /// Returns the state of an offer that the person took. Restore it, and report the outcome.
    public func take(_ offer: Offer, on device: RestorationContext? = nil) async throws(PlacekeeperError) -> Served {
        try await take(offer.place, on: device)
    }

    /// Returns the state of a place that the person chose.
    public func take(
        _ place: ResumePoint, on device: RestorationContext? = nil
    ) async throws(PlacekeeperError) -> Served {
        try await take(place.id, in: place.scene, of: place.owner, on: device)
    }

    /// Returns the state of an entry of the scene's history, such as the place before a slip. Restore it, and report the
    /// outcome. It becomes the newest state with the person's next interaction.
    public func take(
        _ entry: Entry, on device: RestorationContext? = nil
    ) async throws(PlacekeeperError) -> Served {
        try await take(entry.id, in: name, of: entry.owner, on: device)
    }

    private func take(
        _ archive: String, in scene: String, of owner: Int, on device: RestorationContext?
    ) async throws(PlacekeeperError) -> Served {
        let call = ClientCore.Call.take(
            archive: archive, scene: scene, device ?? placekeeper.options.device)
        let result = await placekeeper.engine.result(of: call, for: owner)
        guard case .served(let served) = result else { throw result.error }
        return served
    }

    /// Returns the snapshot of a place, as PNG or JPEG, if `ResumePoint.hasSnapshot` is true.
    public func snapshot(of place: ResumePoint) async throws(PlacekeeperError) -> [UInt8] {
        let result = await placekeeper.engine.result(of: .snapshot(place), for: place.owner)
        guard case .snapshot(let bytes) = result else { throw result.error }
        return bytes
    }

    /// Does not offer a place again on this device. The latest 16 dismissed places of the scene are remembered. If the place is
    /// behind (`Offer.progress`), later places behind in the same item are not offered either, until the person works in
    /// another item here or takes another device's place.
    public func dismiss(_ offer: Offer) { placekeeper.engine.perform { core, _ in core.dismiss(offer) } }

    /// Reports the outcome of a restore. An app that restores every state does not need it: see `launch(_:)`.
    public func report(_ outcome: Outcome, of served: Served) {
        placekeeper.engine.perform { core, now in core.report(outcome, of: served, at: now) }
    }

    /// Notes that an adapter begins to restore the screens of a state.
    package func willShow(_ served: Served) { placekeeper.engine.perform { core, _ in core.willShow(served) } }

    /// Notes that an adapter has restored the screens of a state, and that they are about to appear. The restore has ended
    /// well five seconds later.
    package func didShow(_ outcome: Outcome, of served: Served) {
        placekeeper.engine.perform { core, now in core.didShow(outcome, of: served, at: now) }
    }

    /// Notes that the app does not restore a served state, because the person opened something else, such as a link.
    /// Nothing is reported. The state is offered, until the person takes or dismisses it or another device's place is
    /// newer.
    /// - Returns: The offer. `offers` has it too, unless there is another offer.
    @discardableResult
    public func skip(_ served: Served) -> Offer {
        placekeeper.engine.perform { core, now in core.skip(served, at: now) }
        return Offer(served)
    }

    /// Forgets the scene: removes its states from this device and from the service, so that no device restores them. For a
    /// book or a document that the person removes. What is saved later begins the scene anew, so close its window first.
    /// A device without a connection restores its own copy until it has asked the service.
    ///
    /// Throws if the service does not answer. Nothing is removed then.
    public func forget() async throws(PlacekeeperError) {
        try await placekeeper.done(.forget(scene: name))
    }

    /// Returns the stored states of the scene, newest first.
    public func history() async throws(PlacekeeperError) -> [Entry] {
        let result = await placekeeper.engine.result(of: .history(scene: name))
        guard case .history(let entries) = result else { throw result.error }
        return entries
    }
}
