import PlacekeeperArchive
import PlacekeeperRuntime

// Launching scenes.
extension ClientCore {
    /// Ends the intents whose deadline has passed. A launch is then decided without the service.
    func expire(at now: Moment) {
        for intent in waiting {
            guard let deadline = intent.deadline, deadline <= now.uptime,
                case .launch(let scene, let context) = intent.intent
            else { continue }
            if let answer = intent.served {
                // Only the description of the other device is missing.
                finishLaunch(intent.ticket, scene, context, .served(answer), description: nil, at: now)
            } else {
                let late = Launch.Reason(.deadline)
                finish(intent.ticket, .launched(launch(scene, context, .unavailable(late), nil, at: now)))
            }
        }
    }

    /// Answers the intents while the device is locked. Nothing is registered, discarded or overwritten.
    func failLocked() {
        for intent in waiting {
            let error = PlacekeeperError(.locked, "The device is locked.")
            let result: IntentResult =
                intent.intent.isLaunch ? .launched(Launch(reason: .init(.locked))) : .failed(error)
            finish(intent.ticket, result)
        }
    }

    /// Decides launches of a device that cannot register now.
    func decideWithoutAccount(at now: Moment) {
        guard registration == nil, let problem = registrationProblem, inFlight.isEmpty else { return }
        for intent in waiting {
            guard case .launch(let scene, let context) = intent.intent else { continue }
            finish(intent.ticket, .launched(launchLocally(scene, context, problem, at: now)))
        }
    }

    /// Starts the intents that need the account.
    func startIntents(at now: Moment) {
        for intent in waiting where !intent.isInFlight && intent.served == nil {
            guard backoff.allowsIntents(at: now) else {
                if case .launch(let scene, let context) = intent.intent {
                    finish(intent.ticket, .launched(launchLocally(scene, context, busy(at: now), at: now)))
                } else if !intent.intent.changesAccount {
                    finish(intent.ticket, .failed(busy(at: now)))
                }
                continue
            }
            switch intent.intent {
            case .launch(let scene, let context): startLaunch(intent, scene, context, at: now)
            case .take(let place, let context): startTaking(intent.ticket, place, context)
            case .makeLinkCode: send(request("POST", "/v1/link-codes"), .makeLinkCode, ticket: intent.ticket)
            case .places: send(request("GET", "/v1/places" + query(settings.device)), .places, ticket: intent.ticket)
            case .history(let scene) where !Self.isSceneName(scene):
                finish(intent.ticket, .failed(Self.sceneNameInvalid))
            case .history(let scene):
                send(request("GET", archives(of: scene)), .history(scene: scene), ticket: intent.ticket)
            case .snapshot(let place): readSnapshot(of: place, intent.ticket)
            case .flush where !intent.hasBegun:
                makeDue(at: now)
                update(intent.ticket) { $0.hasBegun = true }
            case .flush: break
            case .signIn, .signOut, .link, .erase: break
            }
        }
    }

    /// Ends the flushes that have nothing left to send, or that cannot go on.
    func finishFlushes(at now: Moment) {
        for intent in waiting where intent.intent.isFlush && intent.hasBegun {
            if !scenes.values.contains(where: { $0.isSending || $0.dueAt.map { $0 <= now.uptime } == true }),
                !isListDue(at: now)
            {
                let noRoom = scenes.values.compactMap { $0.folder.captures.isEmpty ? nil : $0.noRoom }.first
                let waiting = hasPendingCaptures ? problem ?? noRoom : nil
                let error = waiting ?? savingFailure ?? listFailure
                saveFailures = [:]
                finish(intent.ticket, error.map { .failed($0) } ?? .done)
            } else if !backoff.allowsWork(at: now), let problem {
                finish(intent.ticket, .failed(problem))
            }
        }
    }

    private func startLaunch(_ intent: Waiting, _ scene: String, _ context: RestorationContext, at now: Moment) {
        do throws(FileError) {
            if !intent.hasBegun {
                try beginLaunch(scene, at: now)
                update(intent.ticket) { $0.hasBegun = true }
            }
            // The state that waits is sent first, so that the service compares it with the states of other devices.
            if !intent.skipsSending, sendNext(of: scene, at: now, sendsSnapshots: false) { return }
            let tag: String? =
                if let last = try scenes[scene]?.folder.last(), scenes[scene]?.folder.captures.isEmpty == true {
                    try scenes[scene]?.folder.tag(of: last.capture.archive)
                } else { nil }
            let fields = tag.map { [TransportRequest.Field("If-None-Match", $0)] } ?? []
            var request = request("GET", "\(archives(of: scene))/latest\(query(context))", fields: fields)
            request.responseLimit = 2 << 20
            send(request, .latest(scene: scene), ticket: intent.ticket)
        } catch {
            note(error)
            finish(intent.ticket, .launched(Launch(reason: .init(error == .locked ? .locked : .unreadable))))
        }
    }

    /// Opens the scene, and reports a restore of an earlier launch that did not end.
    private func beginLaunch(_ scene: String, at now: Moment) throws(FileError) {
        try open(scene)
        guard let folder = scenes[scene]?.folder, var begun = try folder.begunRestore(),
            begun.outcome.launch != launch
        else { return }
        begun.outcome.result = "crashed"
        try folder.noteCrash(of: begun.outcome.archive)
        try noteCrash(of: begun.outcome, at: now)
        try addOutcome(begun.outcome, to: folder, at: now)
        try folder.endRestore()
    }

    func receiveLatest(_ answer: Answer, _ operation: Operation, _ scene: String, at now: Moment) {
        guard let intent = waiting.first(where: { $0.ticket == operation.ticket }),
            case .launch(_, let context) = intent.intent
        else { return receiveLateLatest(answer) }
        let remote: LaunchDecision.Remote
        switch answer {
        case .success(let response):
            noteMode(response)
            if response.status == 304 {
                remote = .notModified(isSuperseded: response["placekeeper-superseded"] != nil)
            } else {
                guard let latest = latest(response, in: scene, context) else {
                    fail(operation.withoutTicket, Self.unreadable, at: now)
                    remote = .unavailable(.init(.answerUnreadable))
                    break
                }
                guard operation.generation == credentials?.generation else {
                    remote = .unavailable(.init(.offline))
                    break
                }
                remote = latest.served.fidelity == .none ? .incompatible(.noPlace) : .served(latest)
            }
        case .problem(let problem) where problem.code == ProblemCode.nothingStored.rawValue: remote = .nothingStored
        case .problem(let problem) where problem.status == 406:
            remote = .incompatible(
                problem.reason.map {
                    .init(.init(rawValue: $0.code), archive: $0.archive, required: $0.required)
                } ?? .init(.incompatible))
        case .problem(let problem):
            let error = PlacekeeperError(problem)
            if !problem.isUnauthorized {
                fail(operation.withoutTicket, error, at: now, isTemporary: problem.isTemporary)
            }
            finish(intent.ticket, .launched(launchLocally(scene, context, error, at: now)))
            return
        case .failure(let error):
            fail(operation.withoutTicket, error, at: now)
            finish(intent.ticket, .launched(launchLocally(scene, context, error, at: now)))
            return
        }
        finishLaunch(intent.ticket, scene, context, remote, description: nil, at: now, mayDescribe: true)
    }

    /// An answer that arrives after the launch was decided only says that the places may have changed.
    private func receiveLateLatest(_ answer: Answer) {
        if case .success(let response) = answer {
            noteMode(response)
            if response["placekeeper-superseded"] == nil { forgetStop() }
        }
        placesAreStale = isFollowing
    }

    private func finishLaunch(
        _ ticket: Ticket, _ scene: String, _ context: RestorationContext, _ remote: LaunchDecision.Remote,
        description: ResumePoint?, at now: Moment, mayDescribe: Bool = false
    ) {
        // The offer names the device, so the client asks for the description of the places.
        if mayDescribe, case .served(let answer) = remote, !answer.served.isOwn || answer.isSuperseded,
            mode != .off, !isShown(answer.served.id, in: scene), backoff.allowsIntents(at: now),
            !(isUnused(scene) && mode == .auto && !answer.isSuperseded)
        {
            update(ticket) { $0.served = answer }
            send(request("GET", "/v1/places" + query(settings.device)), .describeOffer(scene: scene), ticket: ticket)
            return
        }
        finish(ticket, .launched(launch(scene, context, remote, description, at: now)))
    }

    func receiveDescription(_ answer: Answer, _ operation: Operation, _ scene: String, at now: Moment) {
        guard let intent = waiting.first(where: { $0.ticket == operation.ticket }), let served = intent.served,
            case .launch(_, let context) = intent.intent
        else { return }
        var description: ResumePoint?
        if case .success(let response) = answer, let page: Wire.Page<Wire.Place> = decode(response) {
            description = page.items.first { $0.archive.id == served.served.id }.map { resumePoint($0, response) }
        }
        finishLaunch(intent.ticket, scene, context, .served(served), description: description, at: now)
    }

    /// Launches a scene without the service.
    func launchLocally(
        _ scene: String, _ context: RestorationContext, _ error: PlacekeeperError, at now: Moment
    ) -> Launch {
        launch(scene, context, .unavailable(.init(.init(rawValue: error.code.rawValue))), nil, at: now)
    }

    func isDismissed(_ archive: String, in scene: String) -> Bool {
        (try? scenes[scene]?.folder.dismissedArchives().contains(archive)) ?? false
    }

    /// Whether an archive is not offered: the person dismissed it, or the newest state of this device is a copy of it or
    /// a glance at it.
    func isShown(_ archive: String, in scene: String) -> Bool {
        guard let state = scenes[scene] else { return false }
        if state.shown.contains(archive) || isDismissed(archive, in: scene) { return true }
        guard let capture = (try? newest(in: state.folder))?.capture else { return false }
        return capture.archive == archive || capture.restored?.archive == archive
    }

    private func isUnused(_ scene: String) -> Bool { scenes[scene]?.folder.isUnused ?? true }

    /// Decides a launch, and notes that the restore begins.
    func launch(
        _ scene: String, _ context: RestorationContext, _ remote: LaunchDecision.Remote, _ description: ResumePoint?,
        at now: Moment
    ) -> Launch {
        do throws(FileError) {
            // A launch that is decided early has not looked for a crash yet.
            try beginLaunch(scene, at: now)
            let crashed = try scenes[scene]?.folder.crashedArchives() ?? []
            var (local, fault) = try local(scene, context)
            let age = local?.served.interactedAt?.age(at: now)
            local?.age = age
            var remote = remember(remote, context).without(crashed)
            if case .served(var answer) = remote, let description {
                answer.age = description.age
                remote = .served(answer)
            }
            let decision = LaunchDecision(
                local: local, localFault: fault, remote: remote, mode: mode,
                isUnused: isUnused(scene),
                hasCrashedOften: hasCrashedOften(context.bundleVersion, at: now),
                isDismissed: { isDismissed($0, in: scene) })
            var result = Launch(restore: decision.restore, reason: decision.reason)
            if case .served(let answer) = remote {
                scenes[scene]?.headIsOwn = answer.served.isOwn && !answer.isSuperseded
            }
            if case .notModified(let isSuperseded) = remote { scenes[scene]?.headIsOwn = !isSuperseded }
            if let offered = decision.offer {
                let place = description ?? ResumePoint(offered, owner: owner)
                result.offer = Offer(place: place)
                scenes[scene]?.offer = result.offer
                scenes[scene]?.offered = offered.served
                scenes[scene]?.offeredHead = offered.head
            }
            if let restore = result.restore {
                try beginRestore(restore)
            } else if local != nil {
                // The first screen is a glance until the person interacts. It does not replace the state of this device.
                scenes[scene]?.wasLeft = true
            }
            return result
        } catch {
            note(error)
            return Launch(reason: .init(error == .locked ? .locked : .unreadable))
        }
    }

    /// Returns the newest state on this device that may be restored, or the reason why it may not.
    func local(
        _ scene: String, _ context: RestorationContext
    ) throws(FileError) -> (LaunchDecision.Local?, Launch.Reason?) {
        guard let folder = scenes[scene]?.folder, let (capture, bytes) = try newest(in: folder) else {
            return (nil, nil)
        }
        guard try !folder.crashedArchives().contains(capture.archive) else { return (nil, .init(.crashed)) }
        guard let archive = StateArchive(kept: bytes) else { return (nil, .init(.unreadable)) }
        let (fidelity, fault) = context.keptFidelity(for: archive, served: capture.servedFidelity)
        if let fault { return (nil, fault) }
        let isPending = folder.captures.contains { $0.archive == capture.archive }
        // An archive of another device that this device restored is its own origin.
        let isKept = capture.restored?.archive == capture.archive
        let revision = isKept ? capture.restored?.revision : try folder.revision(of: capture.archive)
        let served = Served(
            id: capture.archive, scene: scene, archive: archive, fidelity: fidelity,
            isOwn: capture.servedFidelity == nil, revision: revision, context: context, bytes: bytes,
            origin: capture.restored, interactedAt: capture.interactedAt, owner: owner)
        return (.init(served: served, isPending: isPending, origin: capture.restored?.archive), nil)
    }

    /// Reads a served archive. Nil if the response or the archive is malformed.
    func latest(
        _ response: TransportResponse, in scene: String, _ context: RestorationContext
    ) -> LatestAnswer? {
        guard let id = response["placekeeper-archive"], Self.isUUID(id), let device = response["placekeeper-device"],
            let fidelity = response["placekeeper-fidelity"].flatMap(RestorationFidelity.init(rawValue:)),
            let revision = response["placekeeper-revision"].flatMap(Int64.init),
            let archive = StateArchive(kept: response.body)
        else { return nil }
        var served = Served(
            id: id, scene: scene, archive: archive, fidelity: fidelity, isOwn: device == registration?.device,
            revision: revision, context: context, bytes: response.body, owner: owner)
        if archive.isPlaceOnly { completeLargeState(&served) }
        return LatestAnswer(served: served, superseded: response["placekeeper-superseded"])
    }

    static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D }
    }

    // MARK: - Restoring

    /// Notes that the app begins to restore a state. If the app crashes, the next launch knows it.
    func beginRestore(_ served: Served) throws(FileError) {
        guard let folder = scenes[served.scene]?.folder else { return }
        scenes[served.scene]?.restored = served
        scenes[served.scene]?.hasReported = false
        scenes[served.scene]?.hasInteracted = false
        scenes[served.scene]?.hasUnsavedInteraction = false
        scenes[served.scene]?.hasSavedWork = false
        scenes[served.scene]?.wasLeft = false
        scenes[served.scene]?.shown.insert(served.id)
        let outcome = QueuedOutcome(served, "began", launch: launch)
        try folder.beginRestore(BegunRestore(outcome: outcome))
    }

    /// Records the outcome of a restore.
    func report(_ outcome: Outcome, of served: Served, at now: Moment) {
        guard served.owner == owner, let state = scenes[served.scene], state.restored?.id == served.id,
            !state.hasReported
        else { return }
        do throws(FileError) { try end(outcome, of: served, state.folder, at: now) } catch { note(error) }
    }

    /// Ends a restore that did not take place. Its state may be restored or offered later.
    func skip(_ served: Served) {
        guard served.owner == owner, let state = scenes[served.scene], state.restored?.id == served.id,
            !state.hasReported
        else { return }
        (state.restored, state.hasReported) = (nil, true)
        do throws(FileError) { try state.folder.endRestore() } catch { note(error) }
    }

    /// Takes a restore for successful whose app saves without having reported an outcome.
    func endRestore(in scene: String, at now: Moment) throws(FileError) {
        guard let state = scenes[scene], let restored = state.restored, !state.hasReported else { return }
        try end(.restored, of: restored, state.folder, at: now)
    }

    private func end(
        _ outcome: Outcome, of served: Served, _ folder: SceneFolder, at now: Moment
    ) throws(FileError) {
        scenes[served.scene]?.hasReported = true
        var queued = QueuedOutcome(served, outcome.result.rawValue, launch: launch)
        (queued.path, queued.step) = (outcome.path, outcome.step)
        queued.duration = outcome.duration.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        if served.revision != nil { try addOutcome(queued, to: folder, at: now) }
        if outcome.result == .restored {
            try keep(served, folder, at: now)
        } else {
            scenes[served.scene]?.restored = nil
            if outcome.result == .failed { try folder.noteCrash(of: served.id) }
        }
        try folder.endRestore()
        let dueAt = now.uptime + settings.sendDelay
        let earlier = scenes[served.scene]?.dueAt ?? dueAt
        scenes[served.scene]?.dueAt = min(earlier, dueAt)
    }

    /// Keeps a restored archive of another device, for launches without the service.
    private func keep(_ served: Served, _ folder: SceneFolder, at now: Moment) throws(FileError) {
        guard let revision = served.revision, try folder.last()?.capture.archive != served.id,
            try newest(in: folder)?.capture.archive != served.id
        else { return }
        let capture = Capture(
            archive: served.id, sequence: folder.nextSequence(at: now), interactedAt: now,
            restored: .init(archive: served.id, revision: revision),
            servedFidelity: served.isOwn ? nil : served.fidelity.rawValue)
        try folder.keep(capture, served.bytes)
        scenes[served.scene]?.newest = served.archive
        scenes[served.scene]?.newestIsGlance = true
    }

    private func addOutcome(_ outcome: QueuedOutcome, to folder: SceneFolder, at now: Moment) throws(FileError) {
        try folder.add(outcome, at: now, id: newUUID())
    }
}

extension QueuedOutcome {
    init(_ served: Served, _ result: String, launch: String) {
        self.init(
            result: result, archive: served.id, launch: launch, idiom: served.context.idiom.rawValue,
            layout: served.context.layout?.rawValue, bundleVersion: served.context.bundleVersion,
            systemVersion: served.context.systemVersion, stateVersion: served.context.stateVersion)
    }
}
