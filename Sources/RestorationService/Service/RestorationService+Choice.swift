/// The candidate that is chosen among a scene's archives, and the refused candidates.
struct Choice: Sendable {
    /// The scene's head over all devices.
    var head: Revision?
    /// The first candidate.
    var top: Archive?
    var chosen: Explanation.Candidate?
    /// The candidates before the chosen candidate, from the head backwards. At most `Limits.explainedCandidates`.
    var refused: [Explanation.Candidate] = []
    /// The number of further refused candidates.
    var omitted = 0
}

extension RestorationService {
    /// Finds the first candidate, from the head backwards, that may be restored at some fidelity.
    ///
    /// - Parameter isLaunch: whether the device asks because the app was launched. Such a request shows that an
    ///   earlier restore without a reported end counts as failed.
    func choose(
        in scene: SceneKey, of device: DeviceID?, for context: Context, caller: Caller, isLaunch: Bool
    ) async throws(ServiceError) -> Choice {
        try Validation.context(context)
        let now = clock.now()
        // The head is usually chosen, so only the head is read at first.
        let first = try await firstCandidate(in: scene, of: device)
        guard let top = first.archives.first else { return Choice() }
        var choice = Choice(head: first.head ?? top.revision, top: top)
        try await judge(first.archives, for: context, caller: caller, at: now, isLaunch: isLaunch, &choice)
        guard choice.chosen == nil else { return choice }
        // There may be many archives behind the head. They are evaluated on the offload queue, not on the
        // connection's worker.
        return try await offload(for: caller.owner) { [choice] () async throws(ServiceError) in
            var choice = choice
            var position: Archive.Position? = top.position
            let limit = 32
            while choice.chosen == nil, let last = position, !Task.isCancelled {
                let page = try await candidates(in: scene, of: device, below: last, limit: limit)
                try await judge(page, for: context, caller: caller, at: now, isLaunch: isLaunch, &choice)
                position = page.count == limit ? page.last?.position : nil
            }
            return choice
        }.get()
    }

    /// Returns the newest archive of the scene (or of one device in the scene), and the scene's head at the same
    /// moment.
    private func firstCandidate(in scene: SceneKey, of device: DeviceID?) async throws(ServiceError) -> HistoryPage {
        guard let device else {
            let head = try await candidates(in: scene, of: nil, below: nil, limit: 1)
            return HistoryPage(archives: head, head: head.first?.revision)
        }
        return try await ask { store async throws(StoreError) in
            try await store.history(of: scene, device: device, below: nil, limit: 1)
        }
    }

    /// Evaluates archives in order, until an archive may be restored.
    private func judge(
        _ page: [Archive], for context: Context, caller: Caller, at now: Timestamp, isLaunch: Bool,
        _ choice: inout Choice
    ) async throws(ServiceError) {
        for archive in page {
            if isLaunch { try await closeUnfinished(archive, for: context, caller: caller) }
            let candidate = try await judge(archive, for: context, caller: caller, at: now)
            if candidate.fidelity != nil {
                choice.chosen = candidate
                return
            }
            if choice.refused.count < Limits.explainedCandidates {
                choice.refused.append(candidate)
            } else {
                choice.omitted += 1
            }
        }
    }

    private func judge(_ archive: Archive, for context: Context, caller: Caller, at now: Timestamp)
        async throws(ServiceError) -> Explanation.Candidate
    {
        let verdict = caller.app.settings.policy.evaluate(archive, for: context, at: now)
        guard let exclusion = try await exclusion(of: archive, for: context, caller: caller) else {
            return Explanation.Candidate(archive: archive, fidelity: verdict.fidelity, reasons: verdict.reasons)
        }
        return Explanation.Candidate(archive: archive, fidelity: nil, reasons: verdict.reasons + [exclusion])
    }

    func candidates(in scene: SceneKey, of device: DeviceID?, below position: Archive.Position?, limit: Int)
        async throws(ServiceError) -> [Archive]
    {
        do {
            return try await store.candidates(in: scene, device: device, below: position, limit: limit)
        } catch {
            throw ServiceError(error)
        }
    }
}
