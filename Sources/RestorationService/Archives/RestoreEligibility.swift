import KeyedArchive

/// Whether an archive's outcomes allow the service to serve the archive to one device
/// (docs/decisions/0024-when-a-restore-counts-as-failed.md).
package enum RestoreEligibility: Sendable, Hashable {
    case good
    /// A restore failed for this user, bundle version and idiom, and no later restore succeeded. The value is the
    /// result of the failed restore: `began` means that the end of the restore was never reported.
    case quarantined(Outcome.Result)
    /// The user discarded the state on this device.
    case abandoned

    /// - Parameter outcomes: all outcomes of the archive, the oldest first.
    package init(after outcomes: [Outcome], for device: DeviceID, in context: Context) {
        let own = outcomes.last { $0.device == device && ($0.result == .abandoned || $0.result == .restored) }
        if own?.result == .abandoned {
            self = .abandoned
            return
        }
        var fault: Outcome.Result?
        var unfinished: Set<DeviceID> = []
        for outcome in outcomes where outcome.context.restoresLike(context) {
            switch outcome.result {
            case .began:
                // If a device reports a second `began` and no end between the two, its first restore never ended.
                if !unfinished.insert(outcome.device).inserted { fault = .began }
            case .failed, .crashed:
                unfinished.remove(outcome.device)
                fault = outcome.result
            case .restored:
                unfinished.remove(outcome.device)
                fault = nil
            case .abandoned:
                unfinished.remove(outcome.device)
            }
        }
        // The device asks again because the app was launched again, so the restore that the device began did not end.
        if fault == nil, unfinished.contains(device) { fault = .began }
        self = fault.map(RestoreEligibility.quarantined) ?? .good
    }

    /// The reason against the archive. Nil if the outcomes allow the service to serve the archive.
    var exclusion: Reason? {
        switch self {
        case .good: nil
        case .quarantined(let result): Reason(.quarantined, archive: result.rawValue, blocks: .place)
        case .abandoned: Reason(.abandoned, blocks: .place)
        }
    }

    /// Returns whether the device's last report for this idiom and bundle version is `began`, so that the end of its
    /// restore is unknown.
    package static func isUnfinished(_ outcomes: [Outcome], by device: DeviceID, in context: Context) -> Bool {
        outcomes.last { $0.device == device && $0.context.restoresLike(context) }?.result == .began
    }

    /// Returns whether an archive may be served to the device that made it, in the context of its capture.
    package static func isServable(_ archive: Archive, after outcomes: [Outcome]) -> Bool {
        RestoreEligibility(after: outcomes, for: archive.device, in: archive.context) == .good
    }
}

extension Context {
    /// Returns whether the result of a restore in the other context counts for this context: the idioms are equal, and
    /// so are the bundle versions. A missing version matches every version: refusing too many archives is better than
    /// an app that cannot start.
    fileprivate func restoresLike(_ other: Context) -> Bool {
        guard idiom == other.idiom else { return false }
        guard let bundleVersion, let others = other.bundleVersion else { return true }
        return DottedVersion(bundleVersion) == DottedVersion(others)
    }
}
