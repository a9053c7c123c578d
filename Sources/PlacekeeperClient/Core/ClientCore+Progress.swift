import PlacekeeperArchive
import PlacekeeperModels

// Offers of places that may be ahead of this device's own place in the same item, or behind it. All offers of other
// devices' places are made here.
extension ClientCore {
    /// Offers another device's place that has become the newest. If this device's own place has a progress, the client
    /// first reads the other place, to find out whether it is ahead or behind.
    func propose(_ place: Placekeeper.Place, in scene: String, head: Int64?, at now: ClockReading) {
        guard let state = scenes[scene], state.withheld != place.archive else { return }
        let isInUse = sceneOwners[scene] != nil || followedScenes.contains(scene)
        guard isInUse, Self.isUUID(place.archive), ownState(of: state)?.archive.hasProgress == true else {
            return offer(place, nil, head: head, in: scene, at: now)
        }
        state.proposed = place.archive
        guard !inFlight.values.contains(where: { $0.kind.readsOffer(place.archive) }) else { return }
        var request = request("GET", "\(archives(of: scene))/\(place.archive)/restorable\(query(settings.device))")
        request.responseLimit = SceneFolder.servedStateLimit
        send(request, .readOffer(scene: scene, place, head: head))
    }

    func receiveProposed(
        _ answer: Answer, _ operation: Operation, _ scene: String, _ place: Placekeeper.Place, head: Int64?,
        at now: ClockReading
    ) {
        guard operation.generation == credentials?.generation, let state = scenes[scene],
            state.proposed == place.archive
        else { return }
        state.proposed = nil
        var served: Served?
        switch answer {
        case .success(let response): served = latest(response, in: scene, settings.device)?.served
        // The archive was deleted in the meantime, or may not be restored here now.
        case .problem(let problem) where !problem.isTemporary: return
        case .failure(let error) where state.unread != place.archive:
            state.unread = place.archive
            placesAreStale = isFollowing
            return fail(operation, error, at: now)
        // The place is offered without a comparison, rather than requested again and again.
        case .problem, .failure: break
        }
        // Since the request, the user may have worked, or taken or dismissed the place.
        guard mode != .off, state.headIsOwn == false, state.folder.captures.isEmpty, !isShown(place.archive, in: scene)
        else { return }
        guard let served, served.id == place.archive, served.fidelity != .none else {
            // The place cannot be compared.
            return offer(place, nil, head: head, in: scene, at: now)
        }
        guard !isWithheld(served, in: scene) else {
            state.withheld = place.archive
            return withdrawOlderOffer(of: scene)
        }
        offer(place, served, head: head, in: scene, at: now)
    }

    /// Offers a place together with this device's own place, if the two differ.
    ///
    /// - Parameter served: the archive of the place, or `nil` if it cannot be compared.
    func offer(_ place: Placekeeper.Place, _ served: Served?, head: Int64?, in scene: String, at now: ClockReading) {
        guard let state = scenes[scene] else { return }
        let own = served.map { $0.isOwn ? nil : ownState(beside: $0) } ?? ownState(of: state)
        var offer = Placekeeper.Offer(
            place: place, ownPlace: own.map { Placekeeper.Place($0, in: scene, of: owner, at: now) })
        offer.progress = own.flatMap { served?.archive.progress(beside: $0.archive) }
        offer.isQuiet = settings.placesBehind == .quiet && offer.progress?.isBehind == true
        setOffer(.init(offer: offer, served: served, head: head), of: scene)
    }

    /// Whether another device's place is behind this device's own place and must not be offered, because of the app's
    /// settings or because the user dismissed an earlier place in the same item.
    func isWithheld(_ served: Served, in scene: String) -> Bool {
        guard !served.isOwn, served.archive.hasProgress, let own = ownState(beside: served),
            served.archive.progress(beside: own.archive)?.isBehind == true
        else { return false }
        if settings.placesBehind == .never { return true }
        guard let item = try? scenes[scene]?.folder.dismissedItem() else { return false }
        return served.archive.progress(beside: item) != nil
    }

    /// Records that the user is working, possibly in another item.
    func noteWork(at archive: StateArchive, in state: SceneState) throws(FileError) {
        state.withheld = nil
        try state.folder.noteWork(at: archive)
    }

    /// Lets places behind this device's own place be offered again, because the user took another device's place.
    func continueItem(in scene: String) {
        scenes[scene]?.withheld = nil
        do throws(FileError) { try scenes[scene]?.folder.forgetDismissedItem() } catch { note(error) }
    }

    /// Stores the item of a dismissed place, if it is behind this device's own place.
    func noteDismissedItem(of offer: Placekeeper.Offer, in state: SceneState) throws(FileError) {
        guard offer.progress?.isBehind == true, let served = state.offered?.served, served.id == offer.place.archive
        else {
            return
        }
        try state.folder.noteDismissedItem(of: served.archive)
    }

    /// The newest state on this device, unless it is the served state or a view-only capture of that state.
    private func ownState(beside served: Served) -> OwnState? {
        guard let own = scenes[served.scene].flatMap({ ownState(of: $0) }), own.capture.archive != served.id,
            own.capture.restored?.archive != served.id
        else { return nil }
        return own
    }

    /// The newest state on this device, unless it is only a first screen.
    private func ownState(of state: SceneState) -> OwnState? {
        guard let (capture, bytes) = (try? newest(in: state.folder)) ?? nil, capture.isFirstScreen != true,
            let archive = StateArchive(kept: bytes)
        else { return nil }
        return (capture, archive)
    }

    fileprivate typealias OwnState = (capture: Capture, archive: StateArchive)
}

extension Placekeeper.Place {
    /// Creates the place of this device's own newest state.
    fileprivate init(_ own: ClientCore.OwnState, in scene: String, of owner: Int, at now: ClockReading) {
        self.init(
            own.capture.archive, scene: scene, titles: own.archive.place?.titles ?? [],
            device: .init(isThisDevice: own.capture.servedFidelity == nil),
            date: ClientCore.date(own.capture.interactedAt.age(at: now), before: now), isLatest: false, owner: owner)
    }
}

extension ClientCore.Operation.Kind {
    fileprivate func readsOffer(_ archive: String) -> Bool {
        if case .readOffer(_, let place, _) = self { place.archive == archive } else { false }
    }
}

extension Place {
    /// The titles to show to the user.
    var titles: [String] { steps.map { $0.title ?? $0.screen } }
}
