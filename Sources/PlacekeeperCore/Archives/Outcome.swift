/// A device's report on a restore.
package struct Outcome: Sendable, Hashable {
    package enum Result: String, Sendable, Codable, CaseIterable {
        case began, restored, failed, crashed
        /// The user discarded the state.
        case abandoned
    }

    package var archive: ArchiveID
    package var device: DeviceID
    package var result: Result
    /// The device's context at the time of the restore.
    package var context: Context
    /// The app launch that restored the archive. Nil if the device didn't send it.
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

/// The result of reporting an outcome.
package enum ReportResult: Sendable, Hashable {
    case recorded
    case notServed
    case noArchive
}
