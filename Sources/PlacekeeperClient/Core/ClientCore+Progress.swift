import PlacekeeperArchive
import PlacekeeperRuntime

// Offers that are ahead of this device's own place in the same item, or behind it. All offers of other devices' places
// are made here.
extension ClientCore {
    /// Offers a place of another device that has become the newest. If this device's own place has a progress, the client
    /// reads the other place first, to tell whether it is ahead or behind.
    func propose(_ place: ResumePoint, in scene: String, head: Int64?, at now: Moment) {
        guard let state = scenes[scene] else { return }
        guard let own = ownState(of: state), own.archive.hasProgress else {
            return setOffer(Offer(place: place, ownPlace: ownPlace(in: scene, at: now)), of: scene, head: head)
        }
        state.proposed = place.id
        guard !inFlight.values.contains(where: { $0.kind.readsOffer(place.id) }) else { return }
        var request = request("GET", "\(archives(of: scene))/\(place.id)/restorable\(query(settings.device))")
        request.responseLimit = SceneFolder.servedStateLimit
        send(request, .readOffer(scene: scene, place, head: head))
    }

    func receiveProposed(
        _ answer: Answer, _ operation: Operation, _ scene: String, _ place: ResumePoint, head: Int64?, at now: Moment
    ) {
        guard operation.generation == credentials?.generation, let state = scenes[scene], state.proposed == place.id
        else { return }
        state.proposed = nil
        var served: Served?
        switch answer {
        case .success(let response): served = latest(response, in: scene, settings.device)?.served
        case .problem(let problem) where problem.isUnauthorized: return
        case .problem(let problem):
            if problem.isTemporary {
                placesAreStale = isFollowing
                return fail(operation, PlacekeeperError(problem), at: now)
            }
        case .failure(let error):
            placesAreStale = isFollowing
            return fail(operation, error, at: now)
        }
        // The person has possibly worked, taken or dismissed the place since.
        guard mode != .off, state.headIsOwn == false, state.folder.captures.isEmpty, !isShown(place.id, in: scene)
        else { return }
        guard let served, served.id == place.id, served.fidelity != .none else {
            // The place cannot be compared.
            return setOffer(Offer(place: place, ownPlace: ownPlace(in: scene, at: now)), of: scene, head: head)
        }
        guard !isWithheld(served, in: scene) else { return withdrawOlderOffer(of: scene) }
        offer(served, as: place, head: head, in: scene, at: now)
    }

    /// Offers a served archive, beside this device's own place.
    func offer(_ served: Served, as place: ResumePoint, head: Int64?, in scene: String, at now: Moment) {
        var offer = Offer(place: place)
        if !served.isOwn {
            offer.ownPlace = ownPlace(in: scene, at: now)
            offer.progress = progress(of: served, in: scene)
            offer.isQuiet = settings.placesBehind == .quiet && offer.progress?.isBehind == true
        }
        setOffer(offer, of: scene, head: head)
        scenes[scene]?.offered = served
    }

    /// Whether another device's place is behind this device's own place, and is not to be offered: the app's settings say
    /// so, or the person dismissed a place behind in the same item.
    func isWithheld(_ served: Served, in scene: String) -> Bool {
        guard !served.isOwn, progress(of: served, in: scene)?.isBehind == true else { return false }
        if settings.placesBehind == .never { return true }
        guard let item = try? scenes[scene]?.folder.dismissedItem() else { return false }
        return served.archive.progress(beside: item) != nil
    }

    /// Remembers the item of a place behind that the person dismissed.
    func noteDismissedItem(of offer: Offer, in state: SceneState) throws(FileError) {
        guard offer.progress?.isBehind == true, let served = state.offered, served.id == offer.place.id else { return }
        try state.folder.noteDismissedItem(of: served.archive)
    }

    private func progress(of served: Served, in scene: String) -> Offer.Progress? {
        scenes[scene].flatMap { ownState(of: $0) }.flatMap { served.archive.progress(beside: $0.archive) }
    }

    /// The newest state on this device, unless it is only a first screen.
    private func ownState(of state: SceneState) -> (capture: Capture, archive: StateArchive)? {
        guard let (capture, bytes) = (try? newest(in: state.folder)) ?? nil, capture.isFirstScreen != true,
            let archive = StateArchive(kept: bytes)
        else { return nil }
        return (capture, archive)
    }

    private func ownPlace(in scene: String, at now: Moment) -> ResumePoint? {
        guard let state = scenes[scene], let (capture, archive) = ownState(of: state) else { return nil }
        return ResumePoint(
            id: capture.archive, scene: scene, titles: archive.place?.titles ?? [],
            isOwn: capture.servedFidelity == nil, isLatest: false, isRestorable: true,
            age: capture.interactedAt.age(at: now), hasSnapshot: false, owner: owner)
    }
}

extension ClientCore.Operation.Kind {
    fileprivate func readsOffer(_ archive: String) -> Bool {
        if case .readOffer(_, let place, _) = self { place.id == archive } else { false }
    }
}

extension Place {
    /// The titles that a person sees.
    var titles: [String] { steps.map { $0.title ?? $0.screen } }
}
