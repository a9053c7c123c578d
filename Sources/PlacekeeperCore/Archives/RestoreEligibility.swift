import PlacekeeperArchive

/// Whether an archive may be served to a device, judging by its outcomes
/// (docs/decisions/0024-when-a-restore-counts-as-failed.md).
package enum RestoreEligibility: Sendable, Hashable {
    case good
    /// A restore crashed on another device with this bundle version and idiom, and none has succeeded since. The
    /// requesting device made the archive and has shown its state, so the archive is served, but only as an offer.
    case crashedElsewhere(Outcome.Result, Outcome.Details = Outcome.Details())
    /// A restore failed for this user, bundle version and idiom, and none has succeeded since. If the requesting
    /// device's version is unknown, the restore failed on any version, and none has succeeded on that version since.
    /// The values are the result and the details of the failed restore; `began` means that its end was never reported.
    case quarantined(Outcome.Result, Outcome.Details = Outcome.Details())
    /// The user discarded the state on this device.
    case abandoned

    /// - Parameters:
    ///   - outcomes: all outcomes of the archive, the oldest first.
    ///   - maker: the device that made the archive. For this device, failures on other devices don't count, except that
    ///     the app asks the user first after a crash elsewhere. If nil, `device` counts as a device that didn't make
    ///     the archive.
    package init(
        after outcomes: [Outcome], madeBy maker: DeviceID?, for device: DeviceID, in context: Context
    ) {
        let own = outcomes.last { $0.device == device && ($0.result == .abandoned || $0.result == .restored) }
        if own?.result == .abandoned {
            self = .abandoned
            return
        }
        var (faults, elsewhere): ([Outcome], [Outcome]) = ([], [])
        func note(_ failure: Outcome) {
            if device != maker || failure.device == device {
                faults.append(failure)
            } else if failure.result != .failed {
                elsewhere.append(failure)
            }
        }
        var unfinished: [DeviceID: Outcome] = [:]
        for outcome in outcomes {
            // The earlier restore may have been by another version of the app.
            let earlier = unfinished.removeValue(forKey: outcome.device)
            if let earlier, outcome.provesFailure(of: earlier), earlier.counts(in: context) { note(earlier) }
            if outcome.result == .began { unfinished[outcome.device] = outcome }
            guard outcome.counts(in: context) else { continue }
            switch outcome.result {
            case .failed, .crashed: note(outcome)
            case .restored:
                faults.removeAll(where: outcome.isOfSameVersion)
                elsewhere.removeAll(where: outcome.isOfSameVersion)
            case .began, .abandoned: break
            }
        }
        if let fault = faults.last {
            self = .quarantined(fault.result, fault.details)
        } else if let elsewhere = elsewhere.last {
            self = .crashedElsewhere(elsewhere.result, elsewhere.details)
        } else {
            self = .good
        }
    }

    /// The reason against serving the archive, or nil if there is none.
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

    /// Whether the archive must not be served.
    package var isExcluded: Bool { reason?.blocks == .place }

    /// Returns the device's last report if it is `began`: nobody knows how that restore ended. The report may be by
    /// another version of the app than the one that asks now.
    package static func unfinished(_ outcomes: [Outcome], by device: DeviceID) -> Outcome? {
        let last = outcomes.last { $0.device == device }
        return last?.result == .began ? last : nil
    }

    /// Returns whether any device with the context of the capture could be served the archive: the device that made it
    /// has not discarded it, and no restore failed. While that device restores the archive, the archive doesn't count
    /// as servable, because the restore may fail.
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
    /// Returns whether a request proves that this `began` was interrupted: the request comes from another launch, so
    /// the process that restored the archive has ended. If either launch id is unknown, the request proves nothing,
    /// because it may come from another process of the device.
    package func isInterrupted(by request: LaunchID?) -> Bool {
        guard let launch, let request else { return false }
        return launch != request
    }

    /// Returns this `began` as a crash.
    package func crash(at time: Timestamp) -> Outcome {
        var failure = self
        failure.result = .crashed
        failure.reportedAt = time
        return failure
    }

    /// Returns whether this `began` proves that the device's earlier restore never ended. If neither report has a
    /// launch id, the client doesn't know launch ids; such a client reports `began` once per launch.
    fileprivate func provesFailure(of earlier: Outcome) -> Bool {
        result == .began && (launch == nil && earlier.launch == nil || earlier.isInterrupted(by: launch))
    }

    /// Returns whether the outcome counts for a device in a context: the idiom and the bundle version must match.
    ///
    /// If the device's version is unknown, outcomes of every version count: it's better to refuse too many archives
    /// than to leave an app that can't start. If the outcome's version is unknown, it counts only for devices whose
    /// version is unknown too; otherwise a client that forgets its version would quarantine the archive for all
    /// versions, or lift a quarantine of any version.
    fileprivate func counts(in asked: Context) -> Bool {
        guard context.idiom == asked.idiom else { return false }
        guard let version = asked.bundleVersion else { return true }
        guard let reported = context.bundleVersion else { return false }
        return DottedVersion(reported) == DottedVersion(version)
    }

    /// Returns whether two outcomes are of the same version of the app. A success proves nothing about other versions.
    fileprivate func isOfSameVersion(as other: Outcome) -> Bool {
        context.bundleVersion.map { DottedVersion($0) } == other.context.bundleVersion.map { DottedVersion($0) }
    }
}
