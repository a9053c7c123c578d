package import PlacekeeperArchive
package import PlacekeeperModels

/// A scene whose state the client saves and restores.
package final class KeptScene: Sendable {
    /// The scene's name.
    package let name: String
    let placekeeper: Placekeeper

    init(_ name: String, _ placekeeper: Placekeeper) {
        self.name = name
        self.placekeeper = placekeeper
    }

    /// Saves the scene's state. Returns immediately: the state is encoded, written and sent on the client's own queue.
    ///
    /// If the state cannot be saved, the client's status says why. Before the process ends on its own, wait for
    /// `flush()` or `waitUntilSaved()`.
    ///
    /// While a launch of the scene is in progress, a state counts as the app's first screen unless it is marked with
    /// `Interaction.now` or `noteInteraction()`. It is saved after the launch, and only if the scene has no state.
    /// - Parameters:
    ///   - archive: The state.
    ///   - encoded: The bytes of the state, if the caller has them.
    ///   - interaction: The time of the user's last interaction with the scene. By default, a changed state counts as
    ///     the user's work, and an unchanged state as a view-only capture.
    ///   - snapshot: A PNG or JPEG image of the screen, at most 2 MiB. It is sent if the operator's settings allow
    ///     screenshots. Other images are left out.
    package func save(
        _ archive: StateArchive, encoded: [UInt8]? = nil, interaction: Placekeeper.Interaction = .ifChanged,
        snapshot: [UInt8]? = nil
    ) {
        placekeeper.engine.perform { [name] core, now in
            core.save(archive, encoded: encoded, in: name, interaction, snapshot: snapshot, at: now)
        }
    }

    /// Records that the user is interacting with the scene. Returns immediately.
    ///
    /// A later unchanged state, or a `save` with the interaction `viewing`, then counts as the user's work rather than as
    /// a view-only capture of the restored state. If the app's states change whenever the user works, there is no need
    /// to call this method.
    package func noteInteraction() {
        placekeeper.engine.perform { [name] core, now in core.noteInteraction(in: name, at: now) }
    }

    /// Discards the newest state, unless the account has changed since.
    package func discard(of owner: Int) {
        placekeeper.engine.perform { [name] core, now in core.discard(name, of: owner, at: now) }
    }

    // MARK: - Windows, which know the owner of their content

    /// Records what the window shows, after a restore or on its first screen. The next state is compared with it.
    package func noteShown(_ archive: StateArchive, of owner: Int) {
        placekeeper.engine.perform { [name] core, _ in core.noteShown(archive, in: name, of: owner) }
    }

    /// Saves the state of a window, unless the account has changed since the window's launch.
    package func save(
        _ archive: StateArchive, encoded: [UInt8]? = nil, interaction: Placekeeper.Interaction, of owner: Int
    ) {
        placekeeper.engine.perform { [name] core, now in
            core.save(archive, encoded: encoded, in: name, interaction, of: owner, at: now)
        }
    }

    /// Records that the user is interacting with a window.
    package func noteInteraction(of owner: Int) {
        placekeeper.engine.perform { [name] core, now in core.noteInteraction(in: name, of: owner, at: now) }
    }

    /// The idiom, layout and versions of this device, from the client's configuration.
    package var device: RestorationContext { placekeeper.configuration.device }

    /// Returns the first value that was given for this scene in this process: what its windows show when they start
    /// fresh.
    @MainActor
    package func freshValue<Value>(_ value: Value) -> Value {
        if let first = placekeeper.freshValues[name] as? Value { return first }
        placekeeper.freshValues[name] = value
        return value
    }

    /// The current owner and the number of joins of the account.
    package var account: AccountNumbers { placekeeper.engine.account }

    /// Runs a closure on the main actor after each change of the account, until the closure returns false.
    package func observeAccount(_ observer: @escaping @MainActor @Sendable () -> Bool) {
        placekeeper.engine.accountObservers.add(observer)
    }

    /// Returns the state to restore at launch, and an offer, if any.
    ///
    /// This device's own state is restored if the service does not answer within 50 milliseconds. In three cases, the
    /// launch waits for the service until `Configuration.launchDeadline` instead: this device has no state of the scene, the
    /// app or the system was updated, or the service refused the state before, for example because restores of this
    /// version are stopped. A later answer arrives as an offer (`offers`). Canceling the task does not cancel the
    /// launch.
    ///
    /// Launch the scene again after the account changes (`Placekeeper.signOut(unsent:)`): what the app has in memory
    /// belongs to the old account.
    ///
    /// A restore succeeds at the user's next interaction, at a `flush()`, when the app goes to the background, when the
    /// app reports success, or after five seconds. If the process dies earlier, this version of the app does not
    /// restore the state again. The same applies if two processes within a quarter of an hour, or three in a row, die
    /// within 30 seconds of restoring the state. A death after a `flush()` counts only if the user has interacted after
    /// the flush.
    /// - Parameter device: The device's idiom, layout and versions. Defaults to the device in the client's configuration.
    package func launch(_ device: RestorationContext? = nil) async -> Launch {
        guard !placekeeper.configuration.isExtension else {
            placekeeper.engine.perform { [name] core, _ in core.begin(name) }
            return fresh(.processIsExtension)
        }
        guard ClientCore.isSceneName(name) else {
            return fresh(.init(rawValue: PlacekeeperError.Code.sceneNameInvalid.rawValue))
        }
        let device = device ?? placekeeper.configuration.device
        while true {
            guard case .launched(let launch) = await placekeeper.engine.result(of: .launch(scene: name, device)) else {
                return fresh(.offline)
            }
            // If the account changed before the result arrived, the scene is launched again for the new account.
            if launch.owner == account.owner { return launch }
        }
    }

    private func fresh(_ code: Placekeeper.Reason.Code) -> Launch { Launch(reason: .init(code), owner: account.owner) }

    /// The newer place of another device, or `nil`. Yields the current offer first, then each change.
    package var offers: AsyncStream<Placekeeper.Offer?> { placekeeper.engine.offers(of: name) }

    /// Returns the state of an offer that the user took. Restore it and report the outcome.
    package func take(_ offer: Placekeeper.Offer, on device: RestorationContext? = nil) async throws(PlacekeeperError)
        -> Served
    {
        try await take(offer.place, on: device)
    }

    /// Returns the state of a place that the user chose.
    package func take(
        _ place: Placekeeper.Place, on device: RestorationContext? = nil
    ) async throws(PlacekeeperError) -> Served {
        try await take(place.id.archive, in: place.scene, of: place.owner, on: device)
    }

    private func take(
        _ archive: String, in scene: String, of owner: Int, on device: RestorationContext?
    ) async throws(PlacekeeperError) -> Served {
        let call = ClientCore.Call.take(
            archive: archive, scene: scene, device ?? placekeeper.configuration.device)
        let result = await placekeeper.engine.result(of: call, for: owner)
        guard case .served(let served) = result else { throw result.error }
        return served
    }

    /// Returns the screenshot of a place, as PNG or JPEG, if `Placekeeper.Place.hasSnapshot` is true.
    package func snapshot(of place: Placekeeper.Place) async throws(PlacekeeperError) -> [UInt8] {
        let result = await placekeeper.engine.result(of: .snapshot(place), for: place.owner)
        guard case .snapshot(let bytes) = result else { throw result.error }
        return bytes
    }

    /// Stops offering a place on this device. The scene's latest 16 dismissals are stored.
    ///
    /// If the place is behind (`Offer.progress`), later places that are also behind in this item are not offered
    /// either, until the user works in another item here or takes another device's place.
    package func dismiss(_ offer: Placekeeper.Offer) { placekeeper.engine.perform { core, _ in core.dismiss(offer) } }

    /// Reports the outcome of a restore. Unnecessary in an app that restores every state: see `launch(_:)`.
    package func report(_ outcome: Outcome, of served: Served) {
        placekeeper.engine.perform { core, now in core.report(outcome, of: served, at: now) }
    }

    /// Records that an adapter begins to restore the screens of a state.
    package func willShow(_ served: Served) { placekeeper.engine.perform { core, _ in core.willShow(served) } }

    /// Records the object that an adapter restores. Nil between objects. Returns when the record has been written.
    package func willRestore(_ object: String?, of served: Served) {
        placekeeper.engine.recordNow { core in core.willRestore(object, of: served) }
    }

    /// Records that an adapter has restored the screens of a state, which are about to appear. The restore succeeds
    /// five seconds later.
    package func didShow(_ outcome: Outcome, of served: Served) {
        placekeeper.engine.perform { core, now in core.didShow(outcome, of: served, at: now) }
    }

    /// Records that the app does not restore a served state, because the user opened something else, such as a link.
    ///
    /// Nothing is reported. The state is offered until the user takes or dismisses it, or until another device's place
    /// is newer.
    /// - Returns: The offer. `offers` yields it too, unless there is another offer.
    @discardableResult
    package func skip(_ served: Served) -> Placekeeper.Offer {
        placekeeper.engine.perform { core, now in core.skip(served, at: now) }
        return Placekeeper.Offer(served, at: placekeeper.engine.clock.now())
    }

    /// Deletes the scene's states from this device and from the service, so no device restores them.
    ///
    /// Use this method for a book or a document that the user removes. A later save starts the scene anew, so close its
    /// window first. An offline device still restores its own copy until it has asked the service.
    ///
    /// Throws if the service does not answer; then nothing is removed.
    package func forget() async throws(PlacekeeperError) {
        try await placekeeper.done(.forget(scene: name))
    }

    /// Returns the stored states of the scene, newest first.
    package func history() async throws(PlacekeeperError) -> [Placekeeper.Place] {
        let result = await placekeeper.engine.result(of: .history(scene: name))
        guard case .history(let entries) = result else { throw result.error }
        return entries
    }
}
