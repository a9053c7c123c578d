import Foundation
import PlacekeeperArchive
import PlacekeeperModels

// Launching scenes.
extension ClientCore {
    /// Lets launches restore this device's own state soon, without the service, unless they must first ask whether
    /// restores are stopped.
    func hurryLaunches(at now: ClockReading) {
        guard credentials?.unanswered == nil, !waiting.contains(where: \.call.changesAccount),
            registration != nil || registrationProblem == nil
        else { return }
        for call in waiting where !call.restoresOwnState && !call.hasBegun {
            guard case .launch(let scene, let context) = call.call, !asksFirst(scene, context, at: now),
                mode == .auto, !hasCrashedOften(context.bundleVersion, at: now)
            else { continue }
            do throws(FileError) {
                try open(scene)
                try countDeath(in: scene, at: now)
                guard try local(scene, context).0 != nil, !isUnused(scene) else { continue }
                update(call.callID) { waiting in
                    waiting.restoresOwnState = true
                    waiting.deadline = min(waiting.deadline ?? .infinity, now.uptime + settings.ownStateDeadline)
                }
            } catch {
                // The launch fails the same way when it begins.
                return
            }
        }
    }

    /// Ends the calls whose deadline has passed. A launch is then decided without waiting longer, and continues only to
    /// look for a newer place.
    func expire(at now: ClockReading) {
        for call in waiting {
            guard let deadline = call.deadline, deadline <= now.uptime else { continue }
            switch call.call {
            case .launch(let scene, let context):
                let remote: LaunchDecision.Remote =
                    if let served = call.served {
                        // Only the description of the other device is missing.
                        .served(served)
                    } else {
                        call.restoresOwnState ? .notAsked : .unavailable(.init(.deadline))
                    }
                let generation = credentials?.generation
                update(call.callID) { ($0.deadline, $0.isAnswered, $0.generation) = (nil, true, generation) }
                answer(call, .launched(launch(scene, context, remote, nil, at: now)))
            case .flush:
                let late = PlacekeeperError(
                    .unsentStates, "Not everything was sent before the deadline. The rest is sent later.")
                finish(call.callID, .failed(savingFailure ?? problem ?? late))
                saveFailures = [:]
            default: break
            }
        }
    }

    /// Ends the calls while the device is locked. Nothing is registered, discarded or overwritten.
    func failLocked() {
        for call in waiting {
            let error = PlacekeeperError(.locked, "The device is locked.")
            let result: CallResult =
                call.call.isLaunch ? .launched(Launch(reason: .init(.locked))) : .failed(error)
            finish(call.callID, result)
        }
    }

    /// Decides pending launches while the device cannot register.
    func decideWithoutAccount(at now: ClockReading) {
        guard registration == nil, let problem = registrationProblem, inFlight.isEmpty else { return }
        for call in waiting where call.call.isLaunch { decide(call.callID, without: problem, at: now) }
    }

    /// Starts the calls that need the account.
    func startIntents(at now: ClockReading) {
        for call in waiting where !call.isInFlight && call.served == nil {
            // The search for a newer place ends when the account changes.
            if call.isAnswered, call.generation != credentials?.generation {
                finish(call.callID, .done)
                continue
            }
            guard backoff.allowsIntents(at: now) else {
                if call.call.isLaunch {
                    decide(call.callID, without: busy(at: now), at: now)
                } else if !call.call.changesAccount {
                    finish(call.callID, .failed(busy(at: now)))
                }
                continue
            }
            switch call.call {
            case .launch(let scene, let context): startLaunch(call, scene, context, at: now)
            case .take(let archive, let scene, let context):
                startTaking(call.callID, archive, scene, context, at: now)
            case .makeLinkCode: send(request("POST", "/v1/link-codes"), .makeLinkCode, callID: call.callID)
            case .places: send(request("GET", "/v1/places" + query(settings.device)), .places, callID: call.callID)
            case .history(let scene) where !Self.isSceneName(scene):
                finish(call.callID, .failed(Self.sceneNameInvalid))
            case .history(let scene):
                send(request("GET", archives(of: scene)), .history(scene: scene), callID: call.callID)
            case .forget(let scene): startForgetting(call, scene, at: now)
            case .snapshot(let place): readSnapshot(of: place, call.callID)
            case .flush where !call.hasBegun:
                makeDue(at: now)
                update(call.callID) { $0.hasBegun = true }
            case .flush: break
            case .signIn, .signOut, .link, .erase: break
            }
        }
    }

    private func startLaunch(_ call: Waiting, _ scene: String, _ context: RestorationContext, at now: ClockReading) {
        do throws(FileError) {
            if !call.hasBegun {
                try open(scene)
                try countDeath(in: scene, at: now)
                update(call.callID) { $0.hasBegun = true }
            }
            // Pending states are sent first, so the service compares them with the states of other devices.
            if !call.skipsSending, sendNext(of: scene, at: now, sendsSnapshots: false) { return }
            let tag: String? =
                if let last = try scenes[scene]?.folder.last(), scenes[scene]?.folder.captures.isEmpty == true {
                    try scenes[scene]?.folder.tag(of: last.capture.archive)
                } else { nil }
            let fields = tag.map { [TransportRequest.Field("If-None-Match", $0)] } ?? []
            var request = request("GET", "\(archives(of: scene))/latest\(query(context))", fields: fields)
            request.responseLimit = SceneFolder.servedStateLimit
            send(request, .latest(scene: scene), callID: call.callID)
        } catch {
            note(error)
            finish(call.callID, .launched(Launch(reason: .init(error == .locked ? .locked : .unreadable))))
        }
    }

    func receiveLatest(_ answer: Answer, _ operation: Operation, _ scene: String, at now: ClockReading) {
        guard let call = waiting.first(where: { $0.callID == operation.callID }),
            case .launch(_, let context) = call.call
        else { return receiveLateLatest(answer) }
        let remote: LaunchDecision.Remote
        switch answer {
        case .success(let response):
            noteMode(response)
            if response.status == 304 {
                remote = .notModified(
                    isSuperseded: response["placekeeper-superseded"] != nil,
                    caution: response["placekeeper-caution"].map { .init(.init(rawValue: $0)) })
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
            return decide(call.callID, without: error, at: now)
        case .failure(let error):
            fail(operation.withoutTicket, error, at: now)
            return decide(call.callID, without: error, at: now)
        }
        if let answer = offerToDescribe(remote, in: scene, isAnswered: call.isAnswered),
            backoff.allowsIntents(at: now)
        {
            // The offer names the device, so the client requests the descriptions of the places.
            update(call.callID) { $0.served = answer }
            let target = "/v1/places" + query(settings.device)
            send(request("GET", target), .describeOffer(scene: scene), callID: call.callID)
        } else {
            decide(call.callID, remote, at: now)
        }
    }

    /// Handles a response that arrives after its launch was canceled. It only suggests that the places may have
    /// changed.
    private func receiveLateLatest(_ answer: Answer) {
        if case .success(let response) = answer {
            noteMode(response)
            if response["placekeeper-superseded"] == nil { forgetStop() }
        }
        placesAreStale = isFollowing
    }

    /// Returns the served archive if the launch is going to offer it.
    private func offerToDescribe(
        _ remote: LaunchDecision.Remote, in scene: String, isAnswered: Bool
    ) -> LatestAnswer? {
        guard case .served(let answer) = remote, mode != .off else { return nil }
        if answer.caution != nil, answer.served.isOwn {
            return isAnswered || isDismissed(answer.served.id, in: scene) ? nil : answer
        }
        guard !answer.served.isOwn || answer.isSuperseded, !isShown(answer.served.id, in: scene) else { return nil }
        let isRestored = !isAnswered && isUnused(scene) && mode == .auto && !answer.isSuperseded
        return isRestored ? nil : answer
    }

    func receiveDescription(_ answer: Answer, _ operation: Operation, _ scene: String, at now: ClockReading) {
        guard let call = waiting.first(where: { $0.callID == operation.callID }), let served = call.served else {
            return
        }
        var description: Placekeeper.Place?
        if case .success(let response) = answer, let page: Wire.Page<Wire.Place> = decode(response) {
            description = page.items.first { $0.archive.id == served.served.id }.map { place($0, response, at: now) }
        }
        decide(call.callID, .served(served), description, at: now)
    }

    /// Decides a launch by the service's answer. If the caller already has a result, offers a newer place instead.
    private func decide(
        _ callID: CallID, _ remote: LaunchDecision.Remote, _ description: Placekeeper.Place? = nil, at now: ClockReading
    ) {
        guard let call = waiting.first(where: { $0.callID == callID }),
            case .launch(let scene, let context) = call.call
        else { return }
        guard call.isAnswered else {
            return finish(callID, .launched(launch(scene, context, remote, description, at: now)))
        }
        offerLater(scene, context, remote, description, at: now)
        finish(callID, .done)
    }

    /// Decides a launch without the service.
    func decide(_ callID: CallID, without error: PlacekeeperError, at now: ClockReading) {
        decide(callID, .unavailable(.init(.init(rawValue: error.code.rawValue))), at: now)
    }

    /// Offers a newer place that the service served after the launch was decided.
    private func offerLater(
        _ scene: String, _ context: RestorationContext, _ remote: LaunchDecision.Remote,
        _ description: Placekeeper.Place?,
        at now: ClockReading
    ) {
        guard let state = scenes[scene],
            case (.served(let answer), _)? = try? heard(remote, in: state, scene, context, description, at: now),
            !answer.served.isOwn, mode != .off, !isShown(answer.served.id, in: scene),
            !isWithheld(answer.served, in: scene)
        else { return }
        // Work since the launch may be newer. The upload of this work refreshes the offers.
        guard [.none, .left].contains(state.work) else {
            placesAreStale = isFollowing
            return
        }
        offer(answer, description, in: scene, at: now)
    }

    /// Records what the service's answer says about this device's states. Returns the answer without archives that this
    /// version of the app must not restore again, and the newest state of this device.
    private func heard(
        _ remote: LaunchDecision.Remote, in state: SceneState, _ scene: String, _ context: RestorationContext,
        _ description: Placekeeper.Place?, at now: ClockReading
    ) throws(FileError) -> (LaunchDecision.Remote, local: (LaunchDecision.Local?, fault: Placekeeper.Reason?)) {
        var (local, fault) = try local(scene, context)
        let age = local?.served.interactedAt?.age(at: now)
        local?.age = age
        var remote = remote
        if case .served(var answer) = remote, let description {
            answer.age = max(0, now.wall - description.date.timeIntervalSince1970)
            remote = .served(answer)
        }
        switch remote {
        case .served(let answer):
            try state.folder.note(answer.caution, about: answer.served.id, on: context.bundleVersion)
        case .notModified(_, let caution):
            if let local { try state.folder.note(caution, about: local.served.id, on: context.bundleVersion) }
        case .nothingStored, .incompatible, .unavailable, .notAsked: break
        }
        if let known = local, !known.isPending {
            local?.caution = try state.folder.caution(known.archives, on: context.bundleVersion)
        }
        // If the service refuses the state or allows only offering it, the next launch asks first, too.
        let refuses = local.map { $0.isRefused(by: remote) || $0.caution != nil } ?? false
        state.refused = try state.folder.refusedArchives(on: context.bundleVersion)
        remote = remember(remote, in: scene, context, refuses: refuses, at: now).without(state.refused)
        switch remote {
        case .served(let answer): state.headIsOwn = answer.served.isOwn && !answer.isSuperseded
        case .notModified(let isSuperseded, _): state.headIsOwn = !isSuperseded
        case .nothingStored, .incompatible, .unavailable, .notAsked: break
        }
        return (remote, (local, fault))
    }

    /// Offers the archive that the service served for a launch.
    private func offer(
        _ answer: LatestAnswer, _ description: Placekeeper.Place?, in scene: String, at now: ClockReading
    ) {
        let described = description.flatMap { $0.archive == answer.served.id ? $0 : nil }
        let place = described ?? Placekeeper.Place(answer, owner: owner, at: now)
        offer(place, answer.served, head: answer.head, in: scene, at: now)
    }

    func isDismissed(_ archive: String, in scene: String) -> Bool {
        (try? scenes[scene]?.folder.dismissedArchives().contains(archive)) ?? false
    }

    /// Whether an archive must not be offered: this process restored it, this version of the app must not, the user
    /// dismissed it, or the newest state of this device is that archive, a copy of it, or a view-only capture of it.
    func isShown(_ archive: String, in scene: String) -> Bool {
        guard let state = scenes[scene] else { return false }
        if state.shown.union(state.refused).contains(archive) || isDismissed(archive, in: scene) { return true }
        guard let capture = (try? newest(in: state.folder))?.capture else { return false }
        return capture.archive == archive || capture.restored?.archive == archive
    }

    /// Whether the user never worked in the scene on this device.
    private func isUnused(_ scene: String) -> Bool {
        guard let folder = scenes[scene]?.folder, !folder.isUnused else { return true }
        return (try? newest(in: folder))??.capture.isFirstScreen == true
    }

    /// Decides a launch, and records the start of the restore.
    private func launch(
        _ scene: String, _ context: RestorationContext, _ remote: LaunchDecision.Remote,
        _ description: Placekeeper.Place?,
        at now: ClockReading
    ) -> Launch {
        do throws(FileError) {
            // A launch that was decided early has not checked for a crash yet.
            try open(scene)
            try countDeath(in: scene, at: now)
            guard let state = scenes[scene] else { return Launch(reason: .init(.unreadable)) }
            let (remote, (local, fault)) = try heard(remote, in: state, scene, context, description, at: now)
            let decision = LaunchDecision(
                local: local, localFault: fault, remote: remote, mode: mode,
                isUnused: isUnused(scene),
                hasCrashedOften: hasCrashedOften(context.bundleVersion, at: now),
                isDismissed: { isDismissed($0, in: scene) }, isWithheld: { isWithheld($0, in: scene) })
            var result = Launch(restore: decision.restore, reason: decision.reason)
            if case .notAsked = remote, let known = state.offered?.offer, known.place.archive != result.restore?.id {
                (result.offer, result.reason) = (known, .init(.otherDevice))
            } else if let offered = decision.offer {
                offer(offered, description, in: scene, at: now)
                result.offer = state.offered?.offer
            }
            if var restore = result.restore {
                try beginRestore(&restore, at: now)
                result.restore = restore
            } else if local != nil {
                // Until the user interacts, the first screen is a view-only capture, and does not replace the state of
                // this device.
                if !state.hasInteracted { state.work = .left }
            }
            return result
        } catch {
            note(error)
            return Launch(reason: .init(error == .locked ? .locked : .unreadable))
        }
    }

    /// Returns the newest state on this device, or the reason why it may not be restored.
    func local(
        _ scene: String, _ context: RestorationContext
    ) throws(FileError) -> (LaunchDecision.Local?, Placekeeper.Reason?) {
        guard let folder = scenes[scene]?.folder, let (capture, bytes) = try newest(in: folder) else {
            return (nil, nil)
        }
        let refused = try folder.refusedArchives(on: context.bundleVersion)
        guard [capture.archive, capture.restored?.archive].allSatisfy({ $0.map(refused.contains) != true }) else {
            return (nil, .init(.crashed))
        }
        guard let archive = StateArchive(kept: bytes) else { return (nil, .init(.unreadable)) }
        let (fidelity, fault) = context.keptFidelity(for: archive, served: capture.servedFidelity)
        if let fault { return (nil, fault) }
        let isPending = folder.captures.contains { $0.archive == capture.archive }
        // If this device kept another device's archive, `restored` names that same archive.
        let isKept = capture.restored?.archive == capture.archive
        let revision = isKept ? capture.restored?.revision : try folder.revision(of: capture.archive)
        let served = Served(
            id: capture.archive, scene: scene, archive: archive, fidelity: fidelity,
            isOwn: capture.servedFidelity == nil, revision: revision, context: context, bytes: bytes,
            origin: capture.restored, interactedAt: capture.interactedAt, owner: owner)
        return (.init(served: served, isPending: isPending, origin: capture.restored?.archive), nil)
    }

    /// Reads a served archive. Returns `nil` if the response or the archive is malformed.
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
        return LatestAnswer(
            served: served, superseded: response["placekeeper-superseded"], caution: response["placekeeper-caution"])
    }

    static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D }
    }
}
