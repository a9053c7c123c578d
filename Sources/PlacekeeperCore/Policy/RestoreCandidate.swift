/// The facts about an archive that the policy judges.
package struct RestoreCandidate: Sendable, Hashable {
    package var context: Context
    package var capturedAt: Timestamp
    package var hasPlace: Bool

    package init(context: Context, capturedAt: Timestamp, hasPlace: Bool) {
        self.context = context
        self.capturedAt = capturedAt
        self.hasPlace = hasPlace
    }

    package init(_ archive: Archive) {
        self.init(context: archive.context, capturedAt: archive.stateTime, hasPlace: archive.summary.hasPlace)
    }
}
