/// How a scene's candidates fared.
struct Choice: Sendable {
    /// The scene's head over all devices.
    var head: Revision?
    /// The first of the candidates.
    var top: Archive?
    var chosen: Explanation.Candidate?
    /// Those before the chosen one, from the head backwards; no more than are told.
    var refused: [Explanation.Candidate] = []
}

extension RestorationService {
    /// Finds the first candidate from the head backwards that may be restored at some fidelity.
    ///
    /// - Parameter isLaunch: whether this is the question that a device asks when it starts, which shows how its last
    ///   restore ended.
    func choose(
        in scene: SceneKey, of device: DeviceID?, for context: Context, caller: Caller, isLaunch: Bool
    ) async throws(ServiceError) -> Choice {
        try Validation.context(context)
        let now = clock.now()
        var choice = Choice()
        // Most often it is the head, so that alone is read at first.
        var limit = 1
        var position: Archive.Position?
        repeat {
            let page = try await candidates(in: scene, of: device, below: position, limit: limit)
            if choice.top == nil, let top = page.first {
                choice.top = top
                choice.head = device == nil ? top.revision : try await head(of: scene.name, caller: caller)
            }
            for archive in page {
                if isLaunch { try await closeUnfinished(archive, for: context, caller: caller) }
                let candidate = try await judge(archive, for: context, caller: caller, at: now)
                if candidate.fidelity != nil {
                    choice.chosen = candidate
                    return choice
                }
                if choice.refused.count < Limits.explainedCandidates { choice.refused.append(candidate) }
            }
            position = page.count == limit ? page.last?.position : nil
            limit = 32
        } while position != nil
        return choice
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
