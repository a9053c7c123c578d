/// A stored archive, without its bytes.
package struct Archive: Sendable, Hashable {
    package var id: ArchiveID
    package var scene: SceneKey
    package var device: DeviceID
    package var revision: Revision
    /// When the user last interacted: the upload's arrival (`Upload.arrivedAt`) minus the interaction's age, adjusted
    /// to the order of the device's captures (`CaptureOrder.place`). To show or to judge a time, use `stateTime`.
    package var capturedAt: Timestamp
    /// Orders captures with the same `capturedAt`. Normally the archive's own revision. An archive that must stay below
    /// a later capture of its device takes that capture's `orderRevision` instead. So captures with the same time and
    /// `orderRevision` come from one device, and their sequences order them.
    package var orderRevision: Revision
    /// Whether the capture is view-only: the user hasn't interacted since the device restored the state or showed its
    /// first screen.
    package var isViewOnly: Bool
    /// When the identifiers in the archive were written: the upload's arrival minus the interaction's age, without the
    /// adjustment of `capturedAt`. A copy keeps the `writtenAt` of its original.
    package var writtenAt: Timestamp
    package var receivedAt: Timestamp
    /// The `Capture-Sequence`, which rises with each capture of a scene on one device. Nil if the client didn't send
    /// it.
    package var sequence: Int64?
    package var context: Context
    /// The SHA-256 digest of the bytes.
    package var digest: Digest
    /// The number of bytes.
    package var size: Int
    package var summary: Summary
    package var hasScreenshot: Bool
    /// Whether any outcome of the archive was reported. If not, the store needn't look for outcomes.
    package var hasOutcomes: Bool

    /// A summary of the content, so lists and rankings needn't read the bytes.
    package struct Summary: Sendable, Hashable, Codable {
        /// The titles of the place's steps, with the screen's name for a step without a title. Empty if the archive has
        /// no place.
        package var place: [String]
        package var objectCount: Int
        package var referenceCount: Int
        package init(place: [String] = [], objectCount: Int = 0, referenceCount: Int = 0) {
            self.place = place
            self.objectCount = objectCount
            self.referenceCount = referenceCount
        }
        package var hasPlace: Bool { !place.isEmpty }
        /// The titles that a person sees.
        package var titles: [String] { place.filter { !$0.isEmpty } }
    }

    package init(
        id: ArchiveID, scene: SceneKey, device: DeviceID, revision: Revision, capturedAt: Timestamp,
        writtenAt: Timestamp? = nil, receivedAt: Timestamp, sequence: Int64?, context: Context, digest: Digest,
        size: Int, summary: Summary, hasScreenshot: Bool = false, hasOutcomes: Bool = false,
        orderRevision: Revision? = nil, isViewOnly: Bool = false
    ) {
        self.id = id
        self.scene = scene
        self.device = device
        self.revision = revision
        self.capturedAt = capturedAt
        self.orderRevision = orderRevision ?? revision
        self.isViewOnly = isViewOnly
        self.writtenAt = writtenAt ?? capturedAt
        self.receivedAt = receivedAt
        self.sequence = sequence
        self.context = context
        self.digest = digest
        self.size = size
        self.summary = summary
        self.hasScreenshot = hasScreenshot
        self.hasOutcomes = hasOutcomes
    }

    /// The position of an archive in its scene's history. The head of the scene is the archive with the greatest
    /// position.
    package struct Position: Sendable, Hashable, Comparable {
        package var capturedAt: Timestamp
        package var orderRevision: Revision
        package var sequence: Int64?
        package var revision: Revision

        package init(
            capturedAt: Timestamp, orderRevision: Revision? = nil, sequence: Int64? = nil, revision: Revision
        ) {
            self.capturedAt = capturedAt
            self.orderRevision = orderRevision ?? revision
            self.sequence = sequence
            self.revision = revision
        }

        package static func < (left: Position, right: Position) -> Bool {
            (left.capturedAt, left.orderRevision, left.sequence ?? -1, left.revision)
                < (right.capturedAt, right.orderRevision, right.sequence ?? -1, right.revision)
        }
    }

    /// When the user last interacted, or when the state was captured if the user never did.
    package var stateTime: Timestamp { capturedAt == .belowAllWork ? writtenAt : capturedAt }

    package var position: Position {
        Position(capturedAt: capturedAt, orderRevision: orderRevision, sequence: sequence, revision: revision)
    }
}
