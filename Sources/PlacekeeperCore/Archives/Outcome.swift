/// A device's report about a restore.
package struct Outcome: Sendable, Hashable {
    package enum Result: String, Sendable, Codable, CaseIterable {
        case began, restored, failed, crashed
        /// The user discarded the state.
        case abandoned
    }

    package var archive: ArchiveID
    package var device: DeviceID
    package var result: Result
    /// The device's context during the restore.
    package var context: Context
    /// The launch of the app in which the device restored. Nil if the device did not give it.
    package var launch: LaunchID?
    package var details: Details
    package var reportedAt: Timestamp

    package init(
        archive: ArchiveID, device: DeviceID, result: Result, context: Context, launch: LaunchID? = nil,
        details: Details = Details(), reportedAt: Timestamp
    ) {
        self.archive = archive
        self.device = device
        self.result = result
        self.context = context
        self.launch = launch
        self.details = details
        self.reportedAt = reportedAt
    }
}

/// The result of a report of an outcome.
package enum ReportResult: Sendable, Hashable {
    case recorded
    case notServed
    case noArchive
}
