package import PlacekeeperCore

extension Restores {
    /// Records the outcome of a restore. Throws `outcomeNotServed` unless the archive was served to the device or made
    /// by it.
    ///
    /// - Parameter network: the client network of the request, if known.
    package func report(
        _ result: Outcome.Result, of id: ArchiveID, in scene: String, context: Context, launch: LaunchID? = nil,
        details: Outcome.Details = Outcome.Details(), from network: String? = nil, principal: Principal
    ) async throws(ServiceError) {
        try Validation.context(context)
        try Validation.outcome(details)
        try await record(
            Outcome(
                archive: id, device: principal.device.id, result: result, context: context, launch: launch,
                details: details, reportedAt: try await service.devices.time(of: principal.owner)),
            in: try service.archives.key(of: scene, principal), from: network)
    }

    private func record(_ outcome: Outcome, in key: SceneKey, from network: String?) async throws(ServiceError) {
        switch try await service.write({ store async throws(StoreError) in try await store.report(outcome, in: key) }) {
        case .recorded: break
        case .notServed:
            throw ServiceError(.outcomeNotServed, "This archive was not served to this device.")
        case .noArchive: throw try await service.archives.missing(outcome.archive, in: key)
        }
        let now = clock.now()
        // Each restore is counted once, when it ends.
        guard outcome.result != .began else { return }
        hourlyCounters.count(
            "outcome", outcome.result.rawValue, app: key.owner.app, from: outcome.context, at: now)
        // The log entry needs the archive's context. If reading it fails, the outcome isn't logged.
        guard RestoreReport.results.contains(outcome.result), service.restoreLog.takesReports(of: key.owner),
            case .stored(let archive)? = try? await store.archive(outcome.archive, in: key)
        else { return }
        service.restoreLog.add(
            RestoreReport(outcome, of: archive, at: now, from: service.networkNumbers.number(of: network)))
    }

    /// Records the failures of restores whose app launch has ended. Their archives are then quarantined for the user's
    /// other devices too. A failed write doesn't change the response, because the device's own report of `began` is
    /// enough to refuse the archive to the next launch.
    func recordFailures(_ failures: [Outcome], in key: SceneKey, from network: String?) async {
        for failure in failures {
            do throws(ServiceError) {
                try await record(failure, in: key, from: network)
            } catch {
                hourlyCounters.count("unwritten", error.code.rawValue, app: key.owner.app, at: clock.now())
            }
        }
    }
}
