/// What a device says became of a restore.
package struct Outcome: Sendable, Hashable {
    package enum Result: String, Sendable, Codable, CaseIterable {
        case began, restored, failed, crashed
        /// The user threw the state away.
        case abandoned
    }

    package var archive: ArchiveID
    package var device: DeviceID
    package var result: Result
    /// What the device was and ran when it restored.
    package var context: Context
    package var reportedAt: Timestamp

    package init(archive: ArchiveID, device: DeviceID, result: Result, context: Context, reportedAt: Timestamp) {
        self.archive = archive
        self.device = device
        self.result = result
        self.context = context
        self.reportedAt = reportedAt
    }
}
