package struct NewArchive: Sendable {
    package var id: ArchiveID
    package var scene: SceneKey
    package var device: DeviceID
    /// The device that sends the upload, if any. The write is refused unless the device still belongs to the scene's
    /// owner.
    package var actor: DeviceID?
    /// The archive that an administrator copies. Nil for any other upload. The write is refused unless this archive is
    /// still stored in the scene, so a copy can't bring back an erased user or a deleted archive.
    package var original: ArchiveID?
    /// The time of capture, not yet adjusted to the order of the device's captures.
    package var capturedAt: Timestamp
    /// When the identifiers in the archive were written.
    package var writtenAt: Timestamp
    package var receivedAt: Timestamp
    package var sequence: Int64?
    /// For a view-only capture, the revision from which the state was restored; 0 if nothing was restored. Nil if the
    /// user has interacted since.
    ///
    /// Whatever `capturedAt` is, the capture goes right below the archive with this revision, or below all work if
    /// there is no such archive. A device that moved here from another user may send a revision of that user.
    package var restoredFrom: Revision?
    package var precondition: HeadPrecondition?
    package var context: Context
    package var digest: Digest
    package var summary: Archive.Summary
    package var bytes: [UInt8]
    /// The app's quotas, which limit the upload.
    package var quotas = App.Settings.Quotas.none

    package init(
        id: ArchiveID, scene: SceneKey, device: DeviceID, capturedAt: Timestamp, writtenAt: Timestamp? = nil,
        receivedAt: Timestamp, sequence: Int64? = nil, restoredFrom: Revision? = nil,
        precondition: HeadPrecondition? = nil, context: Context, digest: Digest,
        summary: Archive.Summary, bytes: [UInt8]
    ) {
        self.id = id
        self.scene = scene
        self.device = device
        self.capturedAt = capturedAt
        self.writtenAt = writtenAt ?? capturedAt
        self.receivedAt = receivedAt
        self.sequence = sequence
        self.restoredFrom = restoredFrom
        self.precondition = precondition
        self.context = context
        self.digest = digest
        self.summary = summary
        self.bytes = bytes
    }

    /// Returns the archive with each earlier time raised to `latest`: the latest time stored for the user, if this
    /// instance's clock is behind it. Without this, a new capture could go below archives stored before it.
    func noEarlier(than latest: Timestamp?) -> NewArchive {
        guard let latest else { return self }
        var new = self
        // A copy keeps the time when the identifiers of its original were written.
        if writtenAt == capturedAt { new.writtenAt = max(writtenAt, latest) }
        new.capturedAt = max(capturedAt, latest)
        new.receivedAt = max(receivedAt, latest)
        return new
    }
}

/// The precondition of an upload (`If-Head`): the head that the scene must have.
package enum HeadPrecondition: Sendable, Hashable {
    case none
    case revision(Revision)
}

/// The result of an upload. Indirect because an archive is large, and the result passes through the frames of several
/// async functions.
package indirect enum PutResult: Sendable, Hashable {
    case created(Archive, head: Revision)
    /// The same bytes are already stored under this id. Checked before all cases below, except `actorGone`.
    case identical(Archive, head: Revision)
    /// Other bytes are stored under this id.
    case differs(head: Revision)
    case deleted(head: Revision?)
    /// The precondition `If-Head` failed.
    case headMoved(head: Revision?)
    /// The archive's state may date from before the scene was forgotten.
    case forgotten(head: Revision?)
    /// The archive would be the first of its scene, and the user has no room for another scene: too many scenes already
    /// hold archives (`App.Settings.Quotas.scenes`), or the scene is new and the store already knows the maximum number
    /// of scenes.
    case tooManyScenes
    /// The archive would exceed a quota, even after retention removes archives of its scene. Checked last.
    case quotaExceeded(QuotaExcess)
    /// The requesting device was revoked or moved to another user while the write waited, or the archive to copy is
    /// gone. Checked first.
    case actorGone
}
