/// An entry of a user's change log, from which the service answers polls and sends events.
package struct Change: Sendable, Hashable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case archiveStored, archiveDeleted, sceneForgotten, outcomeReported, deviceRegistered, deviceRevoked
        /// The service noticed a copy of the device's identity, and gave the copy an identity of its own.
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
