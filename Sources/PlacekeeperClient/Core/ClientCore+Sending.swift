import PlacekeeperArchive
import PlacekeeperModels

// Sending captures and outcomes.
extension ClientCore {
    /// The maximum number of simultaneous uploads.
    private static let parallelUploads = 8

    var hasWork: Bool {
        !waiting.isEmpty || credentials?.unanswered != nil || (isMoved && registration != nil)
            || scenes.values.contains { !$0.folder.waiting.isEmpty }
            || placesAreStale || manifestIsStale || lists.values.contains { $0.dueAt != nil }
    }

    /// Returns whether the client may send captures on its own.
    func mayWork(at now: ClockReading) -> Bool {
        (registration != nil || registrationProblem == nil) && backoff.allowsWork(at: now)
    }

    /// Starts every request that may start now.
    func startWork(at now: ClockReading) {
        expire(at: now)
        guard !isLocked else { return failLocked() }
        if let refused, refused == credentials {
            let error = PlacekeeperError(.revoked, "The service ended this device's registration.")
            for call in waiting { finish(call.callID, .failed(error)) }
            return
        }
        recallRetry(at: now)
        countLaunch()
        hurryLaunches(at: now)
        guard !startAccountWork(at: now), registration != nil else { return decideWithoutAccount(at: now) }
        startIntents(at: now)
        startUploads(at: now)
        describeDevice(at: now)
        if backoff.allowsWork(at: now) { startLists(at: now) }
        finishFlushes(at: now)
    }

    private func startUploads(at now: ClockReading) {
        guard backoff.allowsWork(at: now) else { return }
        if mayUpload {
            let due = scenes.compactMap { name, scene in
                scene.dueAt.flatMap { $0 <= now.uptime && !scene.isSending ? (at: $0, name) : nil }
            }
            for (_, name) in due.sorted(by: <) where mayUpload { sendNext(of: name, at: now) }
        }
        if manifestIsStale, !inFlight.values.contains(where: \.kind.readsManifest) {
            manifestIsStale = false
            send(request("GET", "/v1/manifest"), .manifest)
        }
        if placesAreStale, isFollowing, !inFlight.values.contains(where: \.kind.refreshesPlaces) {
            placesAreStale = false
            send(request("GET", "/v1/places" + query(settings.device)), .refreshPlaces)
        }
    }

    private var mayUpload: Bool { inFlight.values.count(where: \.kind.isUpload) < Self.parallelUploads }

    var isLocked: Bool { if case .locked = account { true } else { false } }

    /// Sends the next capture or outcome of a scene. Only one such request per scene is in flight, so the captures
    /// arrive in order. Returns whether a request is in flight.
    ///
    /// - Parameter sendsSnapshots: Whether to send screenshots too. A launch does not wait for them.
    @discardableResult
    func sendNext(of scene: String, at now: ClockReading, sendsSnapshots: Bool = true) -> Bool {
        guard let state = scenes[scene] else { return false }
        if state.isSending { return true }
        guard mayUpload else { return true }
        do throws(FileError) {
            for name in state.folder.waiting where name.state != .refused {
                if name.state == .snapshot, !sendsSnapshots { continue }
                if try send(name, of: scene, at: now) {
                    scenes[scene]?.isSending = true
                    return true
                }
            }
        } catch {
            note(error)
            backoff.fail(at: now, random: &random)
            return false
        }
        guard sendsSnapshots else { return false }
        scenes[scene]?.dueAt = nil
        scenes[scene]?.firstSavedAt = nil
        return false
    }

    private func send(_ name: FileName, of scene: String, at now: ClockReading) throws(FileError) -> Bool {
        guard let folder = scenes[scene]?.folder else { return false }
        if name.state == .outcome {
            switch try folder.outcome(name) {
            case .read(let outcome, _):
                let target = "\(archives(of: scene))/\(outcome.archive)/outcomes"
                send(request("POST", target, json: outcome.body), .outcome(scene: scene, name))
                return true
            case .gone, .damaged, .newer: return false
            }
        }
        if name.state == .snapshot { return try sendSnapshot(name, folder, of: scene) }
        guard let claimed = try folder.claim(name) else { return false }
        switch try folder.capture(claimed) {
        case .read(let capture, let bytes):
            var fields: [TransportRequest.Field] = [
                .init("Content-Type", "application/x-plist"),
                .init("Interaction-Age", Self.seconds(capture.interactedAt.age(at: now))),
                .init("Capture-Sequence", String(capture.sequence)),
            ]
            if capture.isView { fields.append(.init("Restored-From", String(capture.restored?.revision ?? 0))) }
            send(
                request(
                    "PUT", "\(archives(of: scene))/\(capture.archive)", fields: fields,
                    body: Self.sentBytes(of: bytes)),
                .upload(scene: scene, claimed, capture, bytes))
            return true
        case .damaged:
            loseState(of: scene, .init(.fileDamaged, "A saved state was damaged on the disk."))
            return false
        case .gone, .newer: return false
        }
    }

    /// Returns the seconds with three decimal places.
    private static func seconds(_ seconds: Double) -> String {
        let milliseconds = Int64(min(max(seconds, 0), ClockReading.maximumAge) * 1000)
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    func receiveUpload(
        _ answer: Answer, _ operation: Operation, _ scene: String, _ name: FileName, _ capture: Capture,
        _ bytes: [UInt8], at now: ClockReading
    ) {
        // After a change of the account, the files are in another folder or belong to another user.
        guard operation.device == registration?.device, let folder = scenes[scene]?.folder else { return }
        scenes[scene]?.isSending = false
        var answer = answer
        if case .success(let response) = answer, response.revision == nil { answer = .failure(Self.unreadable) }
        do throws(FileError) {
            switch answer {
            case .success(let response):
                try folder.acknowledge(name, capture, bytes, tag: response["etag"], revision: response.revision)
                let isHead = response["head-revision"] == response["placekeeper-revision"]
                if folder.captures.isEmpty || isHead { scenes[scene]?.headIsOwn = isHead }
                if isHead { withdrawOlderOffer(of: scene) } else if isFollowing { placesAreStale = true }
            case .problem(let problem) where problem.isUnauthorized: break
            case .problem(let problem) where problem.isTemporary:
                try folder.release(name)
                fail(operation, PlacekeeperError(problem), at: now)
            case .problem(let problem) where problem.isAboutRoom:
                try folder.release(name)
                self.problem = PlacekeeperError(problem)
                scenes[scene]?.noRoom = PlacekeeperError(problem)
                scenes[scene]?.dueAt = now.uptime + 3600
            case .problem(let problem):
                // Sending the same capture again does not help. A capture of a deleted scene is dropped.
                let isForgotten = problem.status == 410
                if isForgotten { try folder.remove(name) } else { try folder.refuse(name) }
                scenes[scene]?.newest = nil
                if !isForgotten {
                    loseState(of: scene, .init(.stateRefused, "\(problem.code): \(problem.detail)"))
                }
            case .failure(let error):
                try folder.release(name)
                fail(operation, error, at: now)
            }
        } catch {
            note(error)
        }
        noteSent(scene, answer, at: now)
    }

    func receiveOutcome(
        _ answer: Answer, _ operation: Operation, _ scene: String, _ name: FileName, at now: ClockReading
    ) {
        guard operation.device == registration?.device, let folder = scenes[scene]?.folder else { return }
        scenes[scene]?.isSending = false
        var answer = answer
        if case .success(let response) = answer, response.status != 204 { answer = .failure(Self.unreadable) }
        do throws(FileError) {
            switch answer {
            case .success: try folder.remove(name)
            case .problem(let problem) where problem.isUnauthorized: break
            case .problem(let problem) where problem.isTemporary: fail(operation, PlacekeeperError(problem), at: now)
            case .problem:
                // The archive is not stored on the service, or was never sent.
                try folder.remove(name)
            case .failure(let error): fail(operation, error, at: now)
            }
        } catch {
            note(error)
        }
        noteSent(scene, answer, at: now)
    }

    /// Lets a scene's launches continue after the answer to an uploaded capture or outcome.
    private func noteSent(_ scene: String, _ answer: Answer, at now: ClockReading) {
        let error: PlacekeeperError
        switch answer {
        case .success: return
        // The same request is sent again with the new identity.
        case .problem(let problem) where problem.isAboutCopy: return
        case .failure(let failure): error = failure
        case .problem(let problem) where problem.isTemporary: error = PlacekeeperError(problem)
        case .problem:
            // The same request would be refused again.
            for call in waiting where call.call.launches(scene) {
                update(call.callID) { $0.skipsSending = true }
            }
            return
        }
        for call in waiting where call.call.launches(scene) { decide(call.callID, without: error, at: now) }
    }

    // MARK: - `Retry-After` across launches

    private struct Retry: Codable {
        var from: ClockReading
        var seconds: Double
    }

    func rememberRetry(after seconds: Double, at now: ClockReading) {
        hasRetry = true
        do throws(FileError) {
            try files.write(ChecksummedFile.encode(Retry(from: now, seconds: seconds), []), to: "retry")
        } catch { note(error) }
    }

    func forgetRetry() {
        guard hasRetry != false else { return }
        hasRetry = false
        do throws(FileError) { try files.remove("retry") } catch { note(error) }
    }

    private func recallRetry(at now: ClockReading) {
        guard hasRetry == nil else { return }
        hasRetry = false
        guard let bytes = try? files.read("retry", limit: 4096),
            let retry = try? ChecksummedFile.decode(Retry.self, bytes).header
        else { return }
        hasRetry = true
        let left = retry.seconds - retry.from.age(at: now)
        if left > 0, left.isFinite { backoff.wait(until: now.uptime + min(left, 86_400)) }
    }
}

extension ClientCore.Operation.Kind {
    fileprivate var isUpload: Bool {
        switch self {
        case .upload, .outcome, .snapshot: true
        default: false
        }
    }

    fileprivate var readsManifest: Bool { if case .manifest = self { true } else { false } }

    fileprivate var refreshesPlaces: Bool { if case .refreshPlaces = self { true } else { false } }
}

extension ClientCore.Call {
    func launches(_ scene: String) -> Bool { if case .launch(scene, _) = self { true } else { false } }
}

extension ServiceProblem {
    /// Whether the service has no room for the capture. The operator or the user can make room.
    fileprivate var isAboutRoom: Bool {
        [ProblemCode.tooManyScenes, .quotaExceeded].map(\.rawValue).contains(code)
    }
}

extension QueuedOutcome {
    fileprivate var body: Wire.Outcome {
        Wire.Outcome(
            result: result, idiom: UserInterfaceIdiom(rawValue: idiom).wireName,
            layout: layout, bundleVersion: bundleVersion,
            systemVersion: systemVersion, stateVersion: stateVersion, launch: launch, path: path,
            step: step, duration: duration)
    }
}
