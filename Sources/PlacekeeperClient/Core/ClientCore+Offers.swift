import Foundation
import PlacekeeperArchive
import PlacekeeperRuntime

// Places of other devices, and the scene's history.
extension ClientCore {
    func startTaking(
        _ callID: CallID, _ archive: String, _ scene: String, _ context: RestorationContext, at now: ClockReading
    ) {
        if let served = scenes[scene]?.offered, served.id == archive, served.context == context {
            return finishTaking(callID, served, at: now)
        }
        guard Self.isUUID(archive), Self.isSceneName(scene) else {
            return finish(
                callID, .failed(PlacekeeperError(.sceneNameInvalid, "The place's id or scene name is not valid.")))
        }
        var request = request("GET", "\(archives(of: scene))/\(archive)/restorable\(query(context))")
        request.responseLimit = SceneFolder.servedStateLimit
        send(request, .restorable(scene: scene, context), callID: callID)
    }

    func receiveRestorable(
        _ answer: Answer, _ operation: Operation, _ scene: String, _ context: RestorationContext, at now: ClockReading
    ) {
        switch answer {
        case .success(let response):
            guard operation.generation == credentials?.generation,
                let latest = latest(response, in: scene, context)
            else { return fail(operation, Self.unreadable, at: now, isTemporary: false) }
            // If nobody waits for the state, do not record a restore, which the next launch would take for a crash.
            guard let callID = operation.callID, waiting.contains(where: { $0.callID == callID }) else { return }
            guard latest.served.fidelity != .none else {
                let reason = Launch.Reason.noPlace
                return finish(callID, .failed(.init(.init(rawValue: reason.code.rawValue), reason.description)))
            }
            finishTaking(callID, latest.served, at: now)
        case .problem(let problem):
            fail(operation, PlacekeeperError(problem), at: now, isTemporary: problem.isTemporary)
        case .failure(let error): fail(operation, error, at: now)
        }
    }

    private func finishTaking(_ callID: CallID, _ served: Served, at now: ClockReading) {
        do throws(FileError) {
            if scenes[served.scene] == nil { try open(served.scene) }
            var served = served
            try beginRestore(&served, at: now)
            if !served.isOwn { continueItem(in: served.scene) }
            finish(callID, .served(served))
        } catch {
            note(error)
            finish(callID, .failed(PlacekeeperError(.storageFailed, "The client cannot write a file.")))
        }
    }

    func receiveLinkCode(_ answer: Answer, _ operation: Operation, at now: ClockReading) {
        receive(answer, operation, at: now) { (code: Wire.LinkCode, _) in
            .linkCode(Placekeeper.LinkCode(code: code.code, expiresAt: code.expiresAt))
        }
    }

    func receivePlaces(_ answer: Answer, _ operation: Operation, at now: ClockReading) {
        receive(answer, operation, at: now) { (page: Wire.Page<Wire.Place>, response) in
            .places(page.items.map { self.resumePoint($0, response) })
        }
    }

    func receiveHistory(_ answer: Answer, _ operation: Operation, at now: ClockReading) {
        let device = registration?.device
        receive(answer, operation, at: now) { (page: Wire.Page<Wire.Archive>, _) in
            .history(page.items.map { KeptScene.Entry($0, device: device, owner: self.owner) })
        }
    }

    private func receive<Body: Decodable>(
        _ answer: Answer, _ operation: Operation, at now: ClockReading,
        _ result: (Body, TransportResponse) -> CallResult
    ) {
        switch answer {
        case .success(let response):
            guard operation.generation == credentials?.generation, let body: Body = decode(response) else {
                return fail(operation, Self.unreadable, at: now, isTemporary: false)
            }
            finish(operation.callID, result(body, response))
        case .problem(let problem):
            fail(operation, PlacekeeperError(problem), at: now, isTemporary: problem.isTemporary)
        case .failure(let error): fail(operation, error, at: now)
        }
    }

    // MARK: - Offers

    /// Compares the places of all devices with the scenes of this process, and offers newer places of other devices.
    func refreshOffers(_ answer: Answer, _ operation: Operation, at now: ClockReading) {
        switch answer {
        case .success(let response):
            guard operation.generation == credentials?.generation, let page: Wire.Page<Wire.Place> = decode(response)
            else { return }
            for name in scenes.keys {
                describeOvertaken(in: name, page.items, response)
                let head = page.items.first { $0.archive.scene == name && $0.isHead }
                // The scene's place may be on a later page.
                if head == nil, page.next != nil { continue }
                refreshOffer(of: name, head.map { resumePoint($0, response) }, head?.archive.revision, at: now)
            }
        case .problem(let problem):
            guard !problem.isUnauthorized else { return }
            placesAreStale = problem.isTemporary
            fail(operation, PlacekeeperError(problem), at: now, isTemporary: problem.isTemporary)
        case .failure(let error):
            placesAreStale = true
            fail(operation, error, at: now)
        }
    }

    /// Offers a state that was not restored because the user was already working, unless the user has dismissed it.
    func offerOvertaken(_ served: Served, in state: SceneState, at now: ClockReading) {
        guard state.offer == nil, !isDismissed(served.id, in: served.scene) else { return }
        offer(Offer(served).place, served, head: served.revision, in: served.scene, at: now)
        state.offerIsOvertaken = true
        // The offer does not name the device yet.
        placesAreStale = isFollowing
    }

    /// Adds the device and the age to an offer from `offerOvertaken`.
    private func describeOvertaken(in scene: String, _ places: [Wire.Place], _ response: TransportResponse) {
        guard let state = scenes[scene], state.offerIsOvertaken, let offer = state.offer,
            let place = places.first(where: { $0.archive.id == offer.place.id })
        else { return }
        var described = offer
        described.place = resumePoint(place, response)
        guard
            described.place.deviceName != offer.place.deviceName
                || described.place.deviceModel != offer.place.deviceModel
        else { return }
        state.offer = described
        offers.append((scene, described))
    }

    private func refreshOffer(of name: String, _ head: ResumePoint?, _ revision: Int64?, at now: ClockReading) {
        guard let state = scenes[name] else { return }
        state.proposed = nil
        scenes[name]?.headIsOwn = head?.isOwn
        // A launch may have offered another archive than the head, because the head may not be restored here.
        let isSameHead = revision != nil && state.offeredHead == revision
        if let offer = state.offer, isSameHead, !state.shown.contains(offer.place.id),
            offer.place.id != head?.id || head?.isRestorable == true
        {
            return
        }
        // A pending capture may be newer. Its upload refreshes the offers.
        guard let head, !head.isOwn, head.isRestorable, mode != .off, !isShown(head.id, in: name),
            state.folder.captures.isEmpty
        else { return withdrawOlderOffer(of: name) }
        guard state.offer?.place.id != head.id else { return }
        propose(head, in: name, head: revision, at: now)
    }

    /// Withdraws an offer, because this device has newer work. Keeps an offer from `offerOvertaken`.
    func withdrawOlderOffer(of scene: String) {
        if scenes[scene]?.offerIsOvertaken != true { withdrawOffer(of: scene) }
    }

    func withdrawOffer(of scene: String) {
        if scenes[scene]?.offer != nil { setOffer(nil, of: scene, head: nil) }
    }

    /// Changes the offer of a scene, and informs its listeners.
    func setOffer(_ offer: Offer?, of scene: String, head: Int64?) {
        scenes[scene]?.offer = offer
        scenes[scene]?.offerIsOvertaken = false
        scenes[scene]?.offered = nil
        scenes[scene]?.offeredHead = head
        offers.append((scene, offer))
    }

    /// Withdraws the offer of a scene, if it offers this archive.
    func withdrawOffer(_ archive: String, of scene: String) {
        if scenes[scene]?.offer?.place.id == archive { withdrawOffer(of: scene) }
    }

    /// The offer of a scene.
    func offer(of scene: String) -> Offer? { scenes[scene]?.offer }

    /// Stops offering a place.
    func dismiss(_ offer: Offer) {
        guard offer.place.owner == owner, openIfNeeded(offer.place.scene) else { return }
        do throws(FileError) {
            if let state = scenes[offer.place.scene] {
                try state.folder.noteDismissal(of: offer.place.id)
                try noteDismissedItem(of: offer, in: state)
            }
        } catch {
            note(error)
        }
        withdrawOffer(offer.place.id, of: offer.place.scene)
    }

    /// Follows the offers of a scene, even if it is not launched.
    func followOffers(of scene: String) {
        guard Self.isSceneName(scene) else { return }
        followedScenes.insert(scene)
        _ = openIfNeeded(scene)
        follow(true)
    }

    func resumePoint(_ place: Wire.Place, _ response: TransportResponse) -> ResumePoint {
        let now = response["date"].flatMap(Self.date) ?? Date()
        return ResumePoint(
            id: place.archive.id, scene: place.archive.scene, titles: place.archive.place,
            deviceName: place.device?.name, deviceModel: place.device?.model,
            isOwn: place.archive.device == registration?.device, isLatest: place.isHead,
            isRestorable: place.fidelity != "none",
            age: max(0, now.timeIntervalSince(place.archive.capturedAt)), hasSnapshot: place.archive.hasScreenshot,
            owner: owner)
    }

    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text)
    }

    // MARK: - The operator's setting

    private struct StoredMode: Codable {
        var mode: String
    }

    func readMode() throws(FileError) {
        guard let bytes = try files.read("mode", limit: 4096),
            let stored = try? ChecksummedFile.decode(StoredMode.self, bytes).header
        else { return }
        mode = Mode(rawValue: stored.mode) ?? .auto
    }

    /// Applies and stores the operator's setting in a response. Without the field, the setting is `auto`.
    func noteMode(_ response: TransportResponse) { setMode(response["placekeeper-restoration"] ?? "auto") }

    private func setMode(_ name: String) {
        guard let new = Mode(rawValue: name), new != mode else { return }
        mode = new
        do throws(FileError) {
            try files.write(ChecksummedFile.encode(StoredMode(mode: name), []), to: "mode")
        } catch { note(error) }
        if new == .off { for scene in scenes.keys { withdrawOffer(of: scene) } }
    }

    func receiveManifest(_ answer: Answer, _ operation: Operation, at now: ClockReading) {
        let error: PlacekeeperError
        switch answer {
        case .success(let response):
            if let manifest: Wire.Manifest = decode(response) { return use(manifest) }
            error = Self.unreadable
        case .problem(let problem) where !problem.isTemporary: return
        case .problem(let problem): error = PlacekeeperError(problem)
        case .failure(let failure): error = failure
        }
        manifestIsStale = true
        fail(operation, error, at: now)
    }

    private func use(_ manifest: Wire.Manifest) {
        setMode(manifest.restoration)
        placesAreStale = isFollowing
    }

    // MARK: - Events

    func eventsRequest() -> EventsRequest? {
        guard isFollowing, !isMoved, let credentials, credentials.registration != nil, credentials.unanswered == nil
        else {
            return nil
        }
        var fields: [TransportRequest.Field] = [.init("Accept", "text/event-stream")]
        if let id = events.lastID(of: credentials.generation) { fields.append(.init("Last-Event-ID", id)) }
        var request = request("GET", "/v1/events", fields: fields)
        // This request is reused to reopen the stream, even after the process got another counted launch.
        request.fields.removeAll { $0.name == "Counted-Launch" }
        return EventsRequest(generation: credentials.generation, request: request)
    }

    /// Handles a piece of the event stream. An event only says that the places may have changed.
    func receiveEvents(_ bytes: [UInt8], generation: Int, at now: ClockReading) {
        guard generation == credentials?.generation else { return }
        if begunEvents != generation {
            // Changes after the places were last read and before the stream started caused no event.
            begunEvents = generation
            placesAreStale = isFollowing
        }
        for event in events.read(bytes, generation) {
            switch event.name {
            case "settingsChanged":
                manifestIsStale = true
            case "outcomeReported": break
            case "deviceCopied": noteCopy(event.data)
            default: placesAreStale = isFollowing
            }
        }
    }

    /// Records that the event stream ended. Changes until the next stream cause no events.
    func endEvents() {
        begunEvents = nil
        events.restart()
        placesAreStale = isFollowing
    }
}

extension KeptScene.Entry {
    fileprivate init(_ archive: Wire.Archive, device: String?, owner: Int) {
        self.init(
            id: archive.id, revision: archive.revision, isOwn: archive.device == device,
            capturedAt: archive.capturedAt, titles: archive.place, size: archive.size, owner: owner)
    }
}

extension Offer {
    /// Creates the offer of a served state that was not restored.
    init(_ served: Served) { self.init(place: ResumePoint(LatestAnswer(served: served), owner: served.owner)) }
}

extension ResumePoint {
    /// Creates the place of a served archive without a description of its device.
    init(_ answer: LatestAnswer, owner: Int) {
        let archive = answer.served.archive
        self.init(
            id: answer.served.id, scene: answer.served.scene,
            titles: archive.place?.titles ?? [], isOwn: answer.served.isOwn,
            isLatest: !answer.isSuperseded, isRestorable: true, age: answer.age ?? 0, hasSnapshot: false, owner: owner)
    }
}
