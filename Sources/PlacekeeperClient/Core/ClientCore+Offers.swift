import Foundation
import PlacekeeperArchive
import PlacekeeperModels

// Places of other devices, and the scene's history.
extension ClientCore {
    func startTaking(
        _ callID: CallID, _ archive: String, _ scene: String, _ context: RestorationContext, at now: ClockReading
    ) {
        if let served = scenes[scene]?.offered?.served, served.id == archive, served.context == context {
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
                let reason = Placekeeper.Reason.noPlace
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
            .linkCode(Placekeeper.LinkCode(code.code, expirationDate: code.expiresAt))
        }
    }

    func receivePlaces(_ answer: Answer, _ operation: Operation, at now: ClockReading) {
        receive(answer, operation, at: now) { (page: Wire.Page<Wire.Place>, response) in
            .places(page.items.map { self.place($0, response, at: now) })
        }
    }

    func receiveHistory(_ answer: Answer, _ operation: Operation, at now: ClockReading) {
        let device = registration?.device
        receive(answer, operation, at: now) { (page: Wire.Page<Wire.Archive>, response) in
            .history(
                page.items.enumerated().map { index, archive in
                    Placekeeper.Place(
                        archive.id, scene: archive.scene, titles: archive.place,
                        device: .init(isThisDevice: archive.device == device),
                        date: Self.date(of: archive, response, at: now), isLatest: index == 0,
                        hasSnapshot: archive.hasScreenshot, owner: self.owner)
                })
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
                describeOvertaken(in: name, page.items, response, at: now)
                let head = page.items.first { $0.archive.scene == name && $0.isHead }
                // The scene's place may be on a later page.
                if head == nil, page.next != nil { continue }
                refreshOffer(of: name, head.map { place($0, response, at: now) }, head?.archive.revision, at: now)
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
        guard state.offered == nil, !isDismissed(served.id, in: served.scene) else { return }
        offer(Placekeeper.Offer(served, at: now).place, served, head: served.revision, in: served.scene, at: now)
        state.offered?.isOvertaken = true
        // The offer does not name the device yet.
        placesAreStale = isFollowing
    }

    /// Adds the device and the age to an offer from `offerOvertaken`.
    private func describeOvertaken(
        in scene: String, _ places: [Wire.Place], _ response: TransportResponse, at now: ClockReading
    ) {
        guard let state = scenes[scene], let offered = state.offered, offered.isOvertaken,
            let place = places.first(where: { $0.archive.id == offered.offer.place.archive })
        else { return }
        var described = offered.offer
        described.place = self.place(place, response, at: now)
        guard described.place.device != offered.offer.place.device else { return }
        state.offered?.offer = described
        offers.append((scene, described))
    }

    private func refreshOffer(of name: String, _ head: Placekeeper.Place?, _ revision: Int64?, at now: ClockReading) {
        guard let state = scenes[name] else { return }
        state.proposed = nil
        scenes[name]?.headIsOwn = head?.device.isThisDevice
        // A launch may have offered another archive than the head, because the head may not be restored here.
        let isSameHead = revision != nil && state.offered?.head == revision
        if let offer = state.offered?.offer, isSameHead, !state.shown.contains(offer.place.archive),
            offer.place.archive != head?.archive || head?.isRestorable == true
        {
            return
        }
        // A pending capture may be newer. Its upload refreshes the offers.
        guard let head, !head.device.isThisDevice, head.isRestorable, mode != .off, !isShown(head.archive, in: name),
            state.folder.captures.isEmpty
        else { return withdrawOlderOffer(of: name) }
        guard state.offered?.offer.place.archive != head.archive else { return }
        propose(head, in: name, head: revision, at: now)
    }

    /// Withdraws an offer, because this device has newer work. Keeps an offer from `offerOvertaken`.
    func withdrawOlderOffer(of scene: String) {
        if scenes[scene]?.offered?.isOvertaken != true { withdrawOffer(of: scene) }
    }

    func withdrawOffer(of scene: String) {
        if scenes[scene]?.offered != nil { setOffer(nil, of: scene) }
    }

    /// Changes the offer of a scene, and informs its listeners.
    func setOffer(_ offered: SceneState.Offered?, of scene: String) {
        scenes[scene]?.offered = offered
        offers.append((scene, offered?.offer))
    }

    /// Withdraws the offer of a scene, if it offers this archive.
    func withdrawOffer(_ archive: String, of scene: String) {
        if scenes[scene]?.offered?.offer.place.archive == archive { withdrawOffer(of: scene) }
    }

    /// The offer of a scene.
    func offer(of scene: String) -> Placekeeper.Offer? { scenes[scene]?.offered?.offer }

    /// Stops offering a place.
    func dismiss(_ offer: Placekeeper.Offer) {
        guard offer.place.owner == owner, openIfNeeded(offer.place.scene) else { return }
        do throws(FileError) {
            if let state = scenes[offer.place.scene] {
                try state.folder.noteDismissal(of: offer.place.archive)
                try noteDismissedItem(of: offer, in: state)
            }
        } catch {
            note(error)
        }
        withdrawOffer(offer.place.archive, of: offer.place.scene)
    }

    /// Follows the offers of a scene, even if it is not launched.
    func followOffers(of scene: String) {
        guard Self.isSceneName(scene) else { return }
        followedScenes.insert(scene)
        _ = openIfNeeded(scene)
        follow(true)
    }

    func place(_ place: Wire.Place, _ response: TransportResponse, at now: ClockReading) -> Placekeeper.Place {
        let device = Placekeeper.Device(
            name: place.device?.name, model: place.device?.model,
            isThisDevice: place.archive.device == registration?.device)
        return Placekeeper.Place(
            place.archive.id, scene: place.archive.scene, titles: place.archive.place, device: device,
            date: Self.date(of: place.archive, response, at: now), isLatest: place.isHead,
            isRestorable: place.fidelity != "none", hasSnapshot: place.archive.hasScreenshot, owner: owner)
    }

    /// Returns the time of an archive's last interaction by this device's clock, which may differ from the service's.
    private static func date(
        of archive: Wire.Archive, _ response: TransportResponse, at now: ClockReading
    ) -> Date {
        let answered = response["date"].flatMap(Self.date) ?? Date(timeIntervalSince1970: now.wall)
        return date(answered.timeIntervalSince(archive.capturedAt), before: now)
    }

    /// Returns the time some seconds ago, by this device's clock.
    static func date(_ age: Double, before now: ClockReading) -> Date {
        Date(timeIntervalSince1970: now.wall - max(0, age))
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

extension Placekeeper.Offer {
    /// Creates the offer of a served state that was not restored.
    init(_ served: Served, at now: ClockReading) {
        self.init(place: Placekeeper.Place(LatestAnswer(served: served), owner: served.owner, at: now))
    }
}

extension Placekeeper.Place {
    /// Creates the place of a served archive without a description of its device.
    init(_ answer: LatestAnswer, owner: Int, at now: ClockReading) {
        self.init(
            answer.served.id, scene: answer.served.scene, titles: answer.served.archive.place?.titles ?? [],
            device: .init(isThisDevice: answer.served.isOwn), date: ClientCore.date(answer.age ?? 0, before: now),
            isLatest: !answer.isSuperseded, owner: owner)
    }
}
