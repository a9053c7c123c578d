import PlacekeeperArchive
import PlacekeeperConcurrency
package import PlacekeeperCore
import PlacekeeperMatching

extension Restores {
    /// Returns the newest archive that the policy accepts at some fidelity and whose outcomes allow it to be served.
    /// The head's place is therefore preferred to the full state of an older archive.
    ///
    /// - Parameters:
    ///   - device: if given, only this device's archives are considered. `superseded` still refers to the scene's head,
    ///     which may belong to another device.
    ///   - launch: the launch of the requesting app. If another launch began a restore and never reported its end, the
    ///     request proves that this restore failed.
    ///   - network: the client network of the request, if known.
    ///   - isServing: whether the device will receive the archive. If false, nothing is written.
    ///   - isHeld: whether the device already has a version of an archive.
    package func latest(
        in scene: String, of device: DeviceID?, for context: Context, principal: Principal, launch: LaunchID? = nil,
        from network: String? = nil, isServing: Bool = true,
        isHeld: @escaping @Sendable (ServedVersion) -> Bool = { _ in false }
    ) async throws(ServiceError) -> Selection {
        let key = try service.archives.key(of: scene, principal)
        let isServing = isServing && principal.mayWrite
        try Validation.context(context)
        // If the chosen archive is deleted before its bytes are read, choose again, at most twice.
        for _ in 0..<3 {
            let chosen = try await choose(
                Choice(
                    in: key, of: device, for: context, principal: principal, at: clock.now(), launch: launch,
                    isHeld: isHeld))
            let choice = chosen.choice
            if isServing { await recordFailures(choice.interrupted, in: key, from: network) }
            guard let head = choice.head, choice.top != nil else { return .nothingStored }
            guard let offer = choice.offer else {
                let answer = refused(
                    choice.refused, for: context, omitted: choice.omitted, head: head.revision, principal: principal)
                if isServing { note(choice, answer) }
                return answer
            }
            var answer = try await answer(
                offer, chosen.bytes, for: context, principal: principal, isServing: isServing, isHeld: isHeld)
            // Give the response an expiry, so that it can be cached, only if the device has no unfinished restore and
            // the serving is recorded. While a restore is unfinished, another launch gets a different response. If the
            // serving isn't recorded, the next request must record it.
            if choice.unfinished.isEmpty, isNoted(offer.archive, for: principal) {
                let end = principal.app.settings.lastMoment(of: offer.archive, at: choice.now)
                answer?.expire(at: end ?? Timestamp(milliseconds: .max))
            }
            guard let answer else { continue }
            if isServing { note(choice, answer) }
            return answer
        }
        // The scene has archives, so `nothingStored` would be wrong.
        throw ServiceError(
            .storeUnavailable, "The archives were deleted while the service read them. Try again.",
            retryAfter: .seconds(1))
    }

    /// Adds an answer to the restore log, and to the app's event streams if it was new to the device.
    private func note(_ choice: Choice, _ answer: Selection) {
        if case .notModified = answer { return service.restoreLog.add(choice, wasHeld: true) }
        service.restoreLog.add(choice)
        let isQuarantined = { (reason: Reason) in reason.code == Reason.Code.quarantined.rawValue }
        if choice.refused.contains(where: { $0.reasons.contains(where: isQuarantined) }) {
            service.quarantinedAnswers.add(1, at: 0)
        }
        if service.answers.add(choice) { service.feed.wake(choice.scene.owner.app) }
    }

    /// Explains the result of `latest`: lists each candidate from the scene's head to the served archive with its
    /// reasons.
    ///
    /// - Parameter launch: the launch of the requesting app, as for `latest`. The explanation records no failure.
    package func explainLatest(
        in scene: String, of device: DeviceID?, for context: Context, principal: Principal, launch: LaunchID? = nil
    ) async throws(ServiceError) -> Explanation {
        let key = try service.archives.key(of: scene, principal)
        try Validation.context(context)
        // An explanation needs no bytes.
        let choice = try await choose(
            Choice(
                in: key, of: device, for: context, principal: principal, at: clock.now(), launch: launch,
                isHeld: { _ in true })
        ).choice
        let candidates = choice.refused + (choice.accepted.map { [$0] } ?? [])
        var references: [ReferenceExplanation] = []
        if let archive = choice.accepted?.archive {
            references = try await explainReferences(of: archive, for: principal)
        }
        // `devices` may not include the requesting device, because an operator may ask what a new device would get.
        let devices = references.isEmpty ? [] : try await service.devices.devices(for: principal)
        return Explanation(
            asked: context, served: choice.accepted?.archive.id, candidates: candidates,
            head: choice.top == nil ? nil : choice.head?.revision, references: references,
            referenceCount: choice.accepted?.archive.summary.referenceCount ?? 0,
            devices: Dictionary(devices.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }),
            asking: principal.device.id, source: choice.accepted?.archive.device)
    }

    /// Returns the newest archive that the choice accepts.
    private func choose(_ choice: Choice) async throws(ServiceError) -> Chosen {
        // The head is usually accepted, so read only the head first.
        let first = try await service.ask { store async throws(StoreError) in try await store.choose(choice, limit: 1) }
        guard first.hasMore else { return first }
        // There may be many archives below the head, so evaluate them on the offload queue, not on the connection's
        // worker.
        return try await service.offload(for: choice.scene.owner) { () async throws(ServiceError) in
            var chosen = first
            while chosen.hasMore, !Task.isCancelled {
                WorkMeter.pause?()
                let choice = chosen.choice
                chosen = try await service.ask { store async throws(StoreError) in
                    try await store.choose(choice, limit: 32)
                }
            }
            return chosen
        }.get()
    }

    /// Returns one archive as the requesting device may restore it. If a user selects an archive, the service serves it
    /// even if it is quarantined, because only a successful restore ends a quarantine.
    ///
    /// - Parameters:
    ///   - launch: the launch of the requesting app, as for `latest`.
    ///   - network: the client network of the request, if known.
    ///   - isServing: whether the device will receive the archive. If false, nothing is written.
    package func restorable(
        _ id: ArchiveID, in scene: String, for context: Context, principal: Principal, launch: LaunchID? = nil,
        from network: String? = nil, isServing: Bool = true,
        isHeld: @escaping @Sendable (ServedVersion) -> Bool = { _ in false }
    ) async throws(ServiceError) -> Selection {
        try Validation.context(context)
        let isServing = isServing && principal.mayWrite
        let archive = try await service.archives.found(id, in: scene, principal: principal)
        let scene = archive.scene
        if isServing {
            try await recordFailure(of: archive, principal: principal, launch: launch, from: network)
        }
        let newest = try await service.ask { store async throws(StoreError) in
            try await store.history(of: scene, below: nil, limit: 1)
        }
        let top = newest.archives.first ?? archive
        let verdict = principal.app.settings.evaluate(RestoreCandidate(archive), for: context, at: clock.now())
        guard let fidelity = verdict.fidelity else {
            let candidate = JudgedArchive(archive: archive, fidelity: nil, reasons: verdict.reasons)
            return refused([candidate], for: context, omitted: 0, head: top.revision, principal: principal)
        }
        let offer = ServableArchive(archive, fidelity, head: top.position)
        guard
            let answer = try await answer(
                offer, nil, for: context, principal: principal, isServing: isServing, isHeld: isHeld)
        else {
            throw try await service.archives.missing(id, in: scene)
        }
        return answer
    }

    /// Records that the device's last restore of an archive failed, if another launch of the app began that restore.
    private func recordFailure(
        of archive: Archive, principal: Principal, launch: LaunchID?, from network: String?
    ) async throws(ServiceError) {
        guard archive.hasOutcomes, launch != nil else { return }
        let outcomes = try await service.ask { store async throws(StoreError) in
            try await store.outcomes(of: archive.id, in: archive.scene)
        }
        guard let begun = RestoreEligibility.unfinished(outcomes, by: principal.device.id),
            begun.isInterrupted(by: launch)
        else { return }
        await recordFailures([begun.crash(at: clock.now())], in: archive.scene, from: network)
    }

    private func refused(
        _ candidates: [JudgedArchive], for context: Context, omitted: Int, head: Revision, principal: Principal
    ) -> Selection {
        let now = clock.now()
        for code in Set(candidates.flatMap(\.reasons).filter { $0.blocks == .place }.map(\.code)) {
            hourlyCounters.count("refusal", code, app: principal.app.id, from: context, at: now)
        }
        return .incompatible(candidates, omitted: omitted, head: head)
    }

    /// Returns the offered archive with its bytes, or `notModified` if the device already has this version. Returns nil
    /// if the archive no longer exists.
    ///
    /// - Parameter bytes: the archive's bytes, or nil if they haven't been read yet.
    private func answer(
        _ offer: ServableArchive, _ bytes: [UInt8]?, for context: Context, principal: Principal, isServing: Bool,
        isHeld: (ServedVersion) -> Bool
    ) async throws(ServiceError) -> Selection? {
        var bytes = bytes
        var rewriting: Rewriting?
        // The references may be resolved differently now, so only the rewritten bytes show whether the device already
        // has them.
        if principal.app.dependsOnIdentity(offer.archive) {
            rewriting = try await rewrite(offer.archive, for: principal)
            if rewriting == nil { return nil }
            bytes = rewriting?.bytes
        }
        let served = Selection.Served(
            archive: offer.archive, fidelity: offer.fidelity, head: offer.head, superseded: offer.superseded,
            caution: offer.caution,
            references: rewriting?.counts, rewritten: rewriting?.digest, asked: context)
        if isHeld(served.version) {
            if isServing { await recordServing(offer, for: context, to: principal) }
            return .notModified(served)
        }
        if bytes == nil { bytes = try await stored(offer.archive) }
        guard let bytes else { return nil }
        if isServing { await recordServing(offer, for: context, to: principal) }
        return .served(served, bytes: bytes)
    }

    private func stored(_ archive: Archive) async throws(ServiceError) -> [UInt8]? {
        try await service.ask { store async throws(StoreError) in try await store.bytes(of: archive) }
    }

    /// Durably records that the archive was served to the device, before the response is sent. From then on, the store
    /// accepts the device's outcomes of this archive, even if this process ends. Only the first serving is written. If
    /// the write fails, the response is sent anyway, because reads must not depend on writes.
    private func recordServing(_ offer: ServableArchive, for context: Context, to principal: Principal) async {
        let archive = offer.archive
        guard !isNoted(archive, for: principal) else { return }
        let now = clock.now()
        do {
            try await store.recordServing(archive.id, in: archive.scene, to: principal.device.id, at: now)
            service.servedMemory.insert(serving(archive, to: principal))
            // Count each archive once per device, so that cached responses cost nothing.
            let fidelity = offer.fidelity == .full ? "full" : "place"
            hourlyCounters.count("restore", fidelity, app: principal.app.id, from: context, at: now)
        } catch {
            hourlyCounters.count("unwritten", error.code.rawValue, app: principal.app.id, at: now)
        }
    }

    /// Returns whether this process knows that the serving needs no record: it is already recorded, or the requesting
    /// device itself captured the archive.
    private func isNoted(_ archive: Archive, for principal: Principal) -> Bool {
        archive.device == principal.device.id || service.servedMemory.contains(serving(archive, to: principal))
    }

    private func serving(_ archive: Archive, to principal: Principal) -> ServedMemory.Serving {
        ServedMemory.Serving(user: principal.owner.user, device: principal.device.id, revision: archive.revision)
    }
}

extension Selection {
    /// Sets the expiry of a result that contains an archive.
    fileprivate mutating func expire(at time: Timestamp) {
        switch self {
        case .served(var served, let bytes):
            served.expiry = time
            self = .served(served, bytes: bytes)
        case .notModified(var served):
            served.expiry = time
            self = .notModified(served)
        case .nothingStored, .incompatible: break
        }
    }
}
