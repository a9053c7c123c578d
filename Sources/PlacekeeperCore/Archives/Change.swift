/// An entry of a user's change log. The service answers polls and sends events from this log.
package struct Change: Sendable, Hashable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case archiveStored, archiveDeleted, sceneForgotten, outcomeReported, deviceRegistered, deviceRevoked
        /// A copy of the device's identity was noticed, and got an identity of its own.
        case deviceCopied
    }

    package var revision: Revision
    package var kind: Kind
    package var scene: String?
    package var archive: ArchiveID?
    package var device: DeviceID?
    package var at: Timestamp

    package init(
        revision: Revision, kind: Kind, scene: String? = nil, archive: ArchiveID? = nil, device: DeviceID? = nil,
        at: Timestamp
    ) {
        self.revision = revision
        self.kind = kind
        self.scene = scene
        self.archive = archive
        self.device = device
        self.at = at
    }
}
