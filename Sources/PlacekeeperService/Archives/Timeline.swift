import PlacekeeperArchive
package import PlacekeeperCore

/// An archive in its scene's history, with the facts that say why it is or is not the head.
package struct TimelineEntry: Sendable, Hashable {
    /// A group of devices to which the service does not serve the archive, because a restore failed there. The device that
    /// made the archive still gets it, unless the restore failed on this device. After a crash, it gets it with a caution.
    package struct Quarantine: Sendable, Hashable {
        package var idiom: Idiom
        package var bundleVersion: String?
        /// The result of the failed restore. `began` means that the end of the restore was never reported.
        package var result: Outcome.Result
        package var path: String?
    }

    package var archive: Archive
    package var isHead = false
    /// Whether a newer capture was already stored when the archive arrived.
    package var isLate = false
    /// Whether the user did not interact since the device restored a state, or showed its first screen. The archive is
    /// right below the restored archive. It is below all work if nothing was restored, or if the restored archive was gone.
    package var isViewOnly: Bool
    /// The outcomes, the oldest first.
    package var outcomes: [Outcome] = []

    package init(_ archive: Archive) {
        self.archive = archive
        isViewOnly = archive.isViewOnly
    }

    /// The number of outcomes with each result.
    package var counts: [Outcome.Result: Int] {
        outcomes.reduce(into: [:]) { counts, outcome in counts[outcome.result, default: 0] += 1 }
    }

    /// The quarantines of the archive, in the order of the first outcome of each idiom and bundle version. A failure whose
    /// version is unknown quarantines the archive only for devices that give no version.
    package var quarantines: [Quarantine] {
        var known: Set<String> = []
        // No device has this id, so a state that a device's user discarded does not matter.
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

/// Derives the facts of a scene's archives from the archives above them.
struct TimelineReader {
    private var isEmpty = true
    private var firstRevision = Revision(rawValue: .max)

    /// Returns the entry of the next archive. The archives must come in the order of their positions, beginning with the
    /// head.
    mutating func entry(of archive: Archive) -> TimelineEntry {
        var entry = TimelineEntry(archive)
        entry.isHead = isEmpty
        entry.isLate = !archive.isViewOnly && firstRevision < archive.revision
        isEmpty = false
        firstRevision = min(firstRevision, archive.revision)
        return entry
    }
}
