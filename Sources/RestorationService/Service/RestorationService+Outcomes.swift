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

    /// Records the unfinished restores of the requesting device as failed: the device asks again because the app was
    /// launched again, so these restores did not end. The archives are then quarantined for the user's other devices
    /// too. A failed write does not change the answer, because the device's own report of `began` is enough to refuse
    /// the archive to this device.
    func closeUnfinished(_ choice: Choice) async {
        let caller = choice.caller
        for archive in choice.unfinished {
            do throws(ServiceError) {
                try await report(
                    .failed, of: archive, in: choice.scene.name, context: choice.context, caller: caller)
            } catch {
                hourlyCounters.count("unwritten", error.code.rawValue, app: caller.app.id, at: choice.now)
            }
        }
    }
}
