extension RestorationService {
    /// Takes what a device says became of a restore. It counts only from a device that was served the archive.
    package func report(_ result: Outcome.Result, of id: ArchiveID, in scene: String, context: Context, caller: Caller)
        async throws(ServiceError)
    {
        try Validation.context(context)
        let key = try key(of: scene, caller)
        let now = clock.now()
        let outcome = Outcome(
            archive: id, device: caller.device.id, result: result, context: context, reportedAt: now)
        switch try await ask({ store async throws(StoreError) in try await store.report(outcome, in: key) }) {
        case .recorded: break
        case .notServed:
            throw ServiceError(.outcomeNotServed, "This device was not served this archive.")
        case .noArchive: throw try await missing(id, in: key)
        }
        hourlyCounters.count("outcome", result.rawValue, app: caller.app.id, at: now)
        feed.wake(caller.owner)
    }

    /// What stands against serving an archive to the caller, besides the policy; nil when nothing does.
    func exclusion(of archive: Archive, for context: Context, caller: Caller) async throws(ServiceError) -> Reason? {
        guard archive.hasOutcomes else { return nil }
        switch RestoreEligibility(after: try await outcomes(of: archive), for: caller.device.id, in: context) {
        case .good: return nil
        case .quarantined(let result): return Reason(.quarantined, archive: result.rawValue, blocks: .place)
        case .abandoned: return Reason(.abandoned, blocks: .place)
        }
    }

    /// Writes down a restore that the asking device began and never ended: it asks anew, so that was its last launch.
    /// Then the archive is quarantined for the user's other devices too. Failing to write changes nothing for the
    /// requesting device, who is answered from what it reported itself.
    func closeUnfinished(_ archive: Archive, for context: Context, caller: Caller) async throws(ServiceError) {
        guard archive.hasOutcomes,
            RestoreEligibility.isUnfinished(try await outcomes(of: archive), by: caller.device.id, in: context)
        else { return }
        do throws(ServiceError) {
            try await report(.failed, of: archive.id, in: archive.scene.name, context: context, caller: caller)
        } catch {
            hourlyCounters.count("unwritten", error.code.rawValue, app: caller.app.id, at: clock.now())
        }
    }

    private func outcomes(of archive: Archive) async throws(ServiceError) -> [Outcome] {
        try await ask { store async throws(StoreError) in
            try await store.outcomes(of: archive.id, in: archive.scene)
        }
    }
}
