/// A stored archive, all but its bytes.
package struct Archive: Sendable, Hashable {
    package var id: ArchiveID
    package var scene: SceneKey
    package var device: DeviceID
    package var revision: Revision
    /// Receipt less the interaction's age, held in the order of its device's captures.
    package var capturedAt: Timestamp
    /// When the identifiers in it were written: receipt less the interaction's age, whatever order it is held in; of a
    /// copy, when those of the original were.
    package var writtenAt: Timestamp
    package var receivedAt: Timestamp
    /// `Capture-Sequence`: rises per device and scene; nil when the client gave none.
    package var sequence: Int64?
    package var context: Context
    /// SHA-256 of the bytes.
    package var digest: Digest
    /// Bytes.
    package var size: Int
    package var summary: Summary
    package var hasSnapshot: Bool
    /// Whether any outcome was reported: when false, none need be looked up.
    package var hasOutcomes: Bool

    /// What lists and rankings show of an archive without opening it.
    package struct Summary: Sendable, Hashable, Codable {
        /// The titles (else screen names) of the place's steps; empty when the archive has no place.
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
        size: Int, summary: Summary, hasSnapshot: Bool = false,
        hasOutcomes: Bool = false
    ) {
        self.id = id
        self.scene = scene
        self.device = device
        self.revision = revision
        self.capturedAt = capturedAt
        self.writtenAt = writtenAt ?? capturedAt
        self.receivedAt = receivedAt
        self.sequence = sequence
        self.context = context
        self.digest = digest
        self.size = size
        self.summary = summary
        self.hasSnapshot = hasSnapshot
        self.hasOutcomes = hasOutcomes
    }

    /// Where an archive stands in its scene's history. The greatest is the head.
    package struct Position: Sendable, Hashable, Comparable {
        package var capturedAt: Timestamp
        package var revision: Revision
        package init(capturedAt: Timestamp, revision: Revision) {
            self.capturedAt = capturedAt
            self.revision = revision
        }
        package static func < (left: Position, right: Position) -> Bool {
            (left.capturedAt, left.revision) < (right.capturedAt, right.revision)
        }
    }

    package var position: Position { Position(capturedAt: capturedAt, revision: revision) }
}
