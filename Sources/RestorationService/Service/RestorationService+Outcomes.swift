extension RestorationService {
    /// Records the outcome of a restore. Throws `outcomeNotServed` if the device neither was served the archive nor
    /// made it.
    package func report(_ result: Outcome.Result, of id: ArchiveID, in scene: String, context: Context, caller: Caller)
        async throws(ServiceError)
    {
        try Validation.context(context)
        let key = try key(of: scene, caller)
        let now = clock.now()
        let outcome = Outcome(
            archive: id, device: caller.device.id, result: result, context: context, reportedAt: now)
        switch try await write({ store async throws(StoreError) in try await store.report(outcome, in: key) }) {
        case .recorded: break
        case .notServed:
            throw ServiceError(.outcomeNotServed, "This archive was not served to this device.")
        case .noArchive: throw try await missing(id, in: key)
        }
        hourlyCounters.count("outcome", result.rawValue, app: caller.app.id, at: now)
    }

    /// Returns the reason if an archive's outcomes exclude the archive for the caller. Nil if they do not exclude it.
    func exclusion(of archive: Archive, for context: Context, caller: Caller) async throws(ServiceError) -> Reason? {
        guard archive.hasOutcomes else { return nil }
        switch RestoreEligibility(after: try await outcomes(of: archive), for: caller.device.id, in: context) {
        case .good: return nil
        case .quarantined(let result): return Reason(.quarantined, archive: result.rawValue, blocks: .place)
        case .abandoned: return Reason(.abandoned, blocks: .place)
        }
    }

    /// Records an unfinished restore of the requesting device as failed: the device asks again because it was
    /// launched again, so the restore did not end. The archive is then quarantined for the user's other devices too.
    /// A failed write does not change the answer to the requesting device, because its own report of `began` already
    /// excludes the archive.
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
