/// A stored archive without its bytes.
package struct Archive: Sendable, Hashable {
    package var id: ArchiveID
    package var scene: SceneKey
    package var device: DeviceID
    package var revision: Revision
    /// The arrival of the upload (`Upload.arrivedAt`) minus the interaction's age, adjusted to the order of the
    /// device's captures (`CaptureOrder.place`). `stateTime` is the time for people and for policies.
    package var capturedAt: Timestamp
    /// The revision that decides the order among captures of the same time. It is the archive's own revision, unless
    /// the archive belongs below a later capture of its device that is already stored. Then it is the `orderRevision` of
    /// that capture. So captures of one time and one `orderRevision` belong to one device, and their sequences decide.
    package var orderRevision: Revision
    /// Whether the user did not interact since the device restored the state, or showed its first screen.
    package var isViewOnly: Bool
    /// When the identifiers in the archive were written: the arrival of the upload minus the interaction's age, without
    /// the adjustment of `capturedAt`. A copy has the `writtenAt` of its original.
    package var writtenAt: Timestamp
    package var receivedAt: Timestamp
    /// The `Capture-Sequence`, which rises with each capture of one device in one scene. Nil if the client did not
    /// send it.
    package var sequence: Int64?
    package var context: Context
    /// The SHA-256 digest of the bytes.
    package var digest: Digest
    /// The number of bytes.
    package var size: Int
    package var summary: Summary
    package var hasScreenshot: Bool
    /// Whether an outcome of the archive was reported. If false, the store need not be searched for outcomes.
    package var hasOutcomes: Bool

    /// A summary of the content, so that lists and rankings need not read the archive's bytes.
    package struct Summary: Sendable, Hashable, Codable {
        /// The titles of the place's steps, or screen names for steps without a title. The list is empty if the
        /// archive has no place.
        package var place: [String]
        package var objectCount: Int
        package var referenceCount: Int
        package init(place: [String] = [], objectCount: Int = 0, referenceCount: Int = 0) {
            self.place = place
            self.objectCount = objectCount
            self.referenceCount = referenceCount
        }
        package var hasPlace: Bool { !place.isEmpty }
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

    /// The position of an archive in its scene's history. The archive with the greatest position is the head of the
    /// scene.
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

    /// The time of the state: of the interaction, or of the capture if there was none.
    package var stateTime: Timestamp { capturedAt == .belowAllWork ? writtenAt : capturedAt }

    package var position: Position {
        Position(capturedAt: capturedAt, orderRevision: orderRevision, sequence: sequence, revision: revision)
    }
}
