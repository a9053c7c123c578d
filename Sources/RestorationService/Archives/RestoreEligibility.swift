import KeyedArchive

/// What an archive's outcomes say of serving it to one device (design, "Outcomes").
package enum RestoreEligibility: Sendable, Hashable {
    case good
    /// A restore went wrong for this user, bundle version and idiom, and none went well since. The result says how:
    /// `began` is a restore whose end was never heard of.
    case quarantined(Outcome.Result)
    /// The user threw the state away on this device.
    case abandoned

    /// - Parameter outcomes: all of the archive's, oldest first.
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
                // A second beginning shows that the first one never ended.
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
        // Asking anew is what a device does at its next launch.
        if fault == nil, unfinished.contains(device) { fault = .began }
        self = fault.map(RestoreEligibility.quarantined) ?? .good
    }

    /// Whether a device began to restore, and nothing was heard of how that ended.
    package static func isUnfinished(_ outcomes: [Outcome], by device: DeviceID, in context: Context) -> Bool {
        outcomes.last { $0.device == device && $0.context.restoresLike(context) }?.result == .began
    }

    /// Whether the archive stands well with its own device, as that was when it made it.
    package static func isServable(_ archive: Archive, after outcomes: [Outcome]) -> Bool {
        RestoreEligibility(after: outcomes, for: archive.device, in: archive.context) == .good
    }
}

extension Context {
    /// Whether a restore that went wrong there would go wrong here. A version that is not said may be any: rather is too
    /// much excluded than an app kept from starting.
    fileprivate func restoresLike(_ other: Context) -> Bool {
        guard idiom == other.idiom else { return false }
        guard let bundleVersion, let others = other.bundleVersion else { return true }
        return DottedVersion(bundleVersion) == DottedVersion(others)
    }
}
