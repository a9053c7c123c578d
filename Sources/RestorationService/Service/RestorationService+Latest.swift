extension RestorationService {
    /// Returns the latest archive that may be restored. This is the first archive, from the head backwards, that the
    /// policy accepts at some fidelity and that no outcome excludes. The head's place is preferred to the full state
    /// of an older archive.
    ///
    /// - Parameters:
    ///   - device: if given, only this device's archives are considered, and `superseded` refers to the device's own
    ///     head.
    ///   - isHeld: whether the caller already has a version of an archive.
    ///   - isLaunch: whether the caller is going to restore the archive. Otherwise nothing is written.
    package func latest(
        in scene: String, of device: DeviceID?, for context: Context, caller: Caller, isLaunch: Bool = true,
        isHeld: (ServedVersion) -> Bool = { _ in false }
    ) async throws(ServiceError) -> Selection {
        let key = try key(of: scene, caller)
        // If an archive is deleted before its bytes are read, the choice is repeated.
        for _ in 0..<3 {
            let choice = try await choose(in: key, of: device, for: context, caller: caller, isLaunch: isLaunch)
            guard let top = choice.top, let head = choice.head else { return .nothingStored }
            guard let chosen = choice.chosen, let fidelity = chosen.fidelity else {
                return refused(choice.refused, omitted: choice.omitted, head: head, caller: caller)
            }
            let offer = Offer(chosen.archive, fidelity, below: top, head: head)
            if let answer = try await answer(
                offer, for: context, caller: caller, isServing: isLaunch, isHeld: isHeld)
            {
                return answer
            }
        }
        return .nothingStored
    }

    /// Explains the answer of `latest`: lists each candidate from the head to the served archive, with its reasons.
    package func explainLatest(in scene: String, of device: DeviceID?, for context: Context, caller: Caller)
        async throws(ServiceError) -> Explanation
    {
        let key = try key(of: scene, caller)
        let choice = try await choose(in: key, of: device, for: context, caller: caller, isLaunch: false)
        let candidates = choice.refused + (choice.chosen.map { [$0] } ?? [])
        var references: [ReferenceExplanation] = []
        if let archive = choice.chosen?.archive { references = try await explainReferences(of: archive, for: caller) }
        // The requesting device need not be registered: an operator may ask for a future device.
        let devices = references.isEmpty ? [] : try await devices(for: caller)
        return Explanation(
            asked: context, served: choice.chosen?.archive.id, candidates: candidates, head: choice.head,
            references: references, referenceCount: choice.chosen?.archive.summary.referenceCount ?? 0,
            devices: Dictionary(devices.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }),
            asking: caller.device.id, source: choice.chosen?.archive.device)
    }

    /// Returns one archive as the requesting device may restore it. Outcomes do not exclude an archive that a person
    /// selects, because only a successful restore lifts a quarantine.
    ///
    /// - Parameter isLaunch: whether the caller is going to restore the archive. Otherwise nothing is written.
    package func restorable(
        _ id: ArchiveID, in scene: String, for context: Context, caller: Caller, isLaunch: Bool = true,
        isHeld: (ServedVersion) -> Bool = { _ in false }
    ) async throws(ServiceError) -> Selection {
        try Validation.context(context)
        let archive = try await found(id, in: scene, caller: caller)
        let top = try await candidates(in: archive.scene, of: nil, below: nil, limit: 1).first ?? archive
        let verdict = caller.app.settings.policy.evaluate(archive, for: context, at: clock.now())
        guard let fidelity = verdict.fidelity else {
            let candidate = Explanation.Candidate(archive: archive, fidelity: nil, reasons: verdict.reasons)
            return refused([candidate], omitted: 0, head: top.revision, caller: caller)
        }
        let offer = Offer(archive, fidelity, below: top, head: top.revision)
        guard
            let answer = try await answer(
                offer, for: context, caller: caller, isServing: isLaunch, isHeld: isHeld)
        else {
            throw try await missing(id, in: archive.scene)
        }
        return answer
    }

    private func refused(
        _ candidates: [Explanation.Candidate], omitted: Int, head: Revision, caller: Caller
    ) -> Selection {
        let now = clock.now()
        for code in Set(candidates.flatMap(\.reasons).filter { $0.blocks == .place }.map(\.code)) {
            hourlyCounters.count("refusal", code, app: caller.app.id, at: now)
        }
        return .incompatible(candidates, omitted: omitted, head: head)
    }

    /// Reads the bytes unless the requesting device has them. Nil if the archive no longer exists.
    private func answer(
        _ offer: Offer, for context: Context, caller: Caller, isServing: Bool, isHeld: (ServedVersion) -> Bool
    ) async throws(ServiceError) -> Selection? {
        let identity = identityVersions.stamp(of: caller.owner)
        // An archive with references to registered items is always rewritten, because only the rewritten bytes show
        // whether the requesting device already has the same bytes.
        let dependsOnIdentity = dependsOnIdentity(offer.archive, for: caller)
        var bytes: [UInt8]?
        var rewriting: Rewriting?
        if dependsOnIdentity {
            rewriting = try await rewrite(offer.archive, for: caller)
            if rewriting == nil { return nil }
            bytes = rewriting?.bytes
        }
        let served = Selection.Served(
            archive: offer.archive, fidelity: offer.fidelity, head: offer.head,
            superseded: offer.superseded, references: rewriting?.counts,
            rewritten: rewriting?.digest, asked: context, identity: dependsOnIdentity ? identity : nil)
        if isHeld(served.version) {
            if isServing { await noteServed(offer.archive, to: caller) }
            return .notModified(served)
        }
        if bytes == nil { bytes = try await stored(offer.archive) }
        guard let bytes else { return nil }
        if isServing { await noteServed(offer.archive, to: caller) }
        return .served(served, bytes: bytes)
    }

    private func stored(_ archive: Archive) async throws(ServiceError) -> [UInt8]? {
        try await ask { store async throws(StoreError) in try await store.bytes(of: archive) }
    }

    /// Records durably, before the answer, that the caller was served an archive. After this, the caller's outcomes
    /// count, even if this process ends. Only the first serving is written. If the write fails, the answer is sent
    /// nevertheless, because reads must not depend on writes.
    private func noteServed(_ archive: Archive, to caller: Caller) async {
        guard !isNoted(archive, for: caller) else { return }
        let now = clock.now()
        do {
            try await store.noteServed(archive.id, in: archive.scene, to: caller.device.id, at: now)
            servedMemory.insert(serving(archive, to: caller))
        } catch {
            hourlyCounters.count("unwritten", error.code.rawValue, app: caller.app.id, at: now)
        }
    }

    /// Returns whether this process knows that the serving is recorded. A device's own archives need no record.
    func isNoted(_ archive: Archive, for caller: Caller) -> Bool {
        archive.device == caller.device.id || servedMemory.contains(serving(archive, to: caller))
    }

    private func serving(_ archive: Archive, to caller: Caller) -> ServedMemory.Serving {
        ServedMemory.Serving(user: caller.owner.user, device: caller.device.id, revision: archive.revision)
    }
}

/// The archive that is going to be served.
private struct Offer {
    var archive: Archive
    var fidelity: Fidelity
    var superseded: Superseded?
    /// The scene's head over all devices.
    var head: Revision

    init(_ archive: Archive, _ fidelity: Fidelity, below top: Archive, head: Revision) {
        self.archive = archive
        self.fidelity = fidelity
        self.head = head
        guard archive.revision != top.revision else { return }
        superseded = Superseded(head: top.revision, by: top.capturedAt - archive.capturedAt)
    }
}
