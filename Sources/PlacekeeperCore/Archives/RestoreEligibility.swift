import PlacekeeperArchive

/// Whether an archive's outcomes allow the service to serve the archive to one device
/// (docs/decisions/0024-when-a-restore-counts-as-failed.md).
package enum RestoreEligibility: Sendable, Hashable {
    case good
    /// A restore crashed on another device with this bundle version and idiom, and no later restore succeeded. The
    /// requesting device made the archive, and has shown its state. So the archive is served, and the app only offers it.
    case crashedElsewhere(Outcome.Result, Outcome.Details = Outcome.Details())
    /// A restore failed for this user, bundle version and idiom, and no later restore succeeded. The values are the
    /// result and the details of the failed restore: `began` means that the end of the restore was never reported.
    case quarantined(Outcome.Result, Outcome.Details = Outcome.Details())
    /// The user discarded the state on this device.
    case abandoned

    /// - Parameters:
    ///   - outcomes: all outcomes of the archive, the oldest first.
    ///   - maker: the device that made the archive. Failures on other devices say nothing about this device, except that a
    ///     crash elsewhere is a reason to ask the person. If nil, the device counts as one that did not make the archive.
    package init(
        after outcomes: [Outcome], madeBy maker: DeviceID?, for device: DeviceID, in context: Context
    ) {
        let own = outcomes.last { $0.device == device && ($0.result == .abandoned || $0.result == .restored) }
        if own?.result == .abandoned {
            self = .abandoned
            return
        }
        var (fault, elsewhere): (Outcome?, Outcome?)
        func note(_ failure: Outcome) {
            if device != maker || failure.device == device {
                fault = failure
            } else if failure.result != .failed {
                elsewhere = failure
            }
        }
        var unfinished: [DeviceID: Outcome] = [:]
        for outcome in outcomes {
            // The device possibly restored the archive with another version of the app before.
            let earlier = unfinished.removeValue(forKey: outcome.device)
            if let earlier, outcome.provesFailure(of: earlier), earlier.counts(in: context) { note(earlier) }
            if outcome.result == .began { unfinished[outcome.device] = outcome }
            guard outcome.counts(in: context) else { continue }
            switch outcome.result {
            case .failed, .crashed: note(outcome)
            case .restored: (fault, elsewhere) = (nil, nil)
            case .began, .abandoned: break
            }
        }
        if let fault {
            self = .quarantined(fault.result, fault.details)
        } else if let elsewhere {
            self = .crashedElsewhere(elsewhere.result, elsewhere.details)
        } else {
            self = .good
        }
    }

    /// The reason of the outcomes. Nil if they say nothing against the archive.
    package var reason: Reason? {
        switch self {
        case .good: nil
        case .crashedElsewhere(let result, let details):
            Reason(.crashedElsewhere, archive: result.rawValue, blocks: .automatic, details: details)
        case .quarantined(let result, let details):
            Reason(.quarantined, archive: result.rawValue, blocks: .place, details: details)
        case .abandoned: Reason(.abandoned, blocks: .place)
        }
    }

    /// Whether the outcomes forbid the service to serve the archive.
    package var isExcluded: Bool { reason?.blocks == .place }

    /// Returns the device's last report if it is `began`, so that the end of the device's restore is unknown. The report
    /// may be of another version of the app than the one that asks now.
    package static func unfinished(_ outcomes: [Outcome], by device: DeviceID) -> Outcome? {
        let last = outcomes.last { $0.device == device }
        return last?.result == .began ? last : nil
    }

    /// Returns whether an archive may be served to each device of the context of its capture: the device that made it has
    /// not discarded it, and no restore failed. An archive that this device is restoring does not count as servable,
    /// because the restore may fail.
    package static func isServable(_ archive: Archive, after outcomes: [Outcome]) -> Bool {
        isServable(by: archive.device, in: archive.context, after: outcomes)
    }

    /// - Parameters:
    ///   - maker: the device that made the archive.
    ///   - context: the context of the capture.
    package static func isServable(by maker: DeviceID, in context: Context, after outcomes: [Outcome]) -> Bool {
        unfinished(outcomes, by: maker) == nil
            && RestoreEligibility(after: outcomes, madeBy: nil, for: maker, in: context) == .good
    }
}

extension Outcome {
    /// Returns whether a request in another launch than the launch of this `began` comes after the end of its process,
    /// so that the restore failed. Without both launch ids, a request proves nothing: it may come from another process
    /// of the device.
    package func isInterrupted(by request: LaunchID?) -> Bool {
        guard let launch, let request else { return false }
        return launch != request
    }

    /// Returns the crash of the restore that this `began` reports.
    package func crash(at time: Timestamp) -> Outcome {
        var failure = self
        failure.result = .crashed
        failure.reportedAt = time
        return failure
    }

    /// Returns whether this `began` proves that the device's earlier `began` never ended. Two reports without launch
    /// ids are from a client that does not know launch ids, and this client reports `began` once in each launch.
    fileprivate func provesFailure(of earlier: Outcome) -> Bool {
        result == .began && (launch == nil && earlier.launch == nil || earlier.isInterrupted(by: launch))
    }

    /// Returns whether the outcome counts for a device in a context: the idioms are equal, and so are the bundle
    /// versions. An outcome of a known version also counts for a device whose version is unknown, because refusing too
    /// many archives is better than an app that cannot start. If the outcome's version is unknown, a failure counts
    /// only for a device whose version is unknown too. Otherwise a client that forgets its version would quarantine the
    /// archive for all versions.
    fileprivate func counts(in asked: Context) -> Bool {
        guard context.idiom == asked.idiom else { return false }
        guard let version = asked.bundleVersion else { return true }
        guard let reported = context.bundleVersion else { return result == .restored || result == .abandoned }
        return DottedVersion(reported) == DottedVersion(version)
    }
}
