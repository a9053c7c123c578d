import PlacekeeperArchive
package import PlacekeeperCore

/// An archive in its scene's history, with the facts that explain why it is or isn't the head.
package struct TimelineEntry: Sendable, Hashable {
    /// A group of devices that don't get the archive because a restore failed on one of them. The device that made the
    /// archive still gets it, unless the restore failed on that device itself. After a crash on another device, the
    /// device that made the archive gets it with a caution.
    package struct Quarantine: Sendable, Hashable {
        package var idiom: Idiom
        package var bundleVersion: String?
        /// The result of the failed restore. `began` means that its end was never reported.
        package var result: Outcome.Result
        package var path: String?
    }

    package var archive: Archive
    package var isHead = false
    /// Whether a newer capture was already stored when this archive arrived.
    package var isLate = false
    /// Whether this is a view-only capture: the user hasn't interacted since the device restored a state or showed its
    /// first screen. The archive comes directly below the restored one. If nothing was restored, or the restored
    /// archive was gone, it comes below all of the user's work.
    package var isViewOnly: Bool
    /// The outcomes, oldest first.
    package var outcomes: [Outcome] = []

    package init(_ archive: Archive) {
        self.archive = archive
        isViewOnly = archive.isViewOnly
    }

    /// The number of restores with each result. A restore is counted once: as `began` only if its end is unknown.
    package var counts: [Outcome.Result: Int] {
        var counts: [Outcome.Result: Int] = [:]
        var unfinished: Set<DeviceID> = []
        for outcome in outcomes {
            counts[outcome.result, default: 0] += 1
            if outcome.result == .began {
                unfinished.insert(outcome.device)
            } else if unfinished.remove(outcome.device) != nil {
                counts[.began, default: 0] -= 1
            }
        }
        return counts
    }

    /// The archive's quarantines, one for each idiom and bundle version, in the order of their first outcomes. A
    /// failure with an unknown version quarantines the archive only for devices that report no version.
    package var quarantines: [Quarantine] {
        var known: Set<String> = []
        // No device has this ID. A state that a user discarded on one device therefore doesn't count here.
        let nobody = DeviceID(high: 0, low: 0)
        return outcomes.compactMap { outcome in
            let version = outcome.context.bundleVersion
            let group = "\(outcome.context.idiom.rawValue) " + (version.map { DottedVersion($0).text } ?? "")
            guard known.insert(group).inserted else { return nil }
            let eligibility = RestoreEligibility(
                after: outcomes, madeBy: nil, for: nobody, in: outcome.context)
            guard case .quarantined(let result, let details) = eligibility else { return nil }
            return Quarantine(
                idiom: outcome.context.idiom, bundleVersion: version, result: result, path: details.path)
        }
    }
}

/// Derives each archive's timeline facts from the archives above it in the scene's history.
struct TimelineReader {
    private var isEmpty = true
    private var firstRevision = Revision(rawValue: .max)

    /// Returns the entry for the next archive. Pass the archives in position order, starting with the head.
    mutating func entry(of archive: Archive) -> TimelineEntry {
        var entry = TimelineEntry(archive)
        entry.isHead = isEmpty
        entry.isLate = !archive.isViewOnly && firstRevision < archive.revision
        isEmpty = false
        firstRevision = min(firstRevision, archive.revision)
        return entry
    }
}
