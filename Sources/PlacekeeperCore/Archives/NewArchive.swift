package struct NewArchive: Sendable {
    package var id: ArchiveID
    package var scene: SceneKey
    package var device: DeviceID
    /// The requesting device, if there is one. The write is refused unless the device still belongs to the scene's
    /// owner.
    package var actor: DeviceID?
    /// The archive that an administrator copies. The write is refused unless this archive is still stored in the scene,
    /// so that a copy brings back neither an erased user nor a deleted archive. Nil for every other upload.
    package var original: ArchiveID?
    /// The time of capture, before the adjustment to the order of the device's captures.
    package var capturedAt: Timestamp
    /// The time at which the identifiers in the archive were written.
    package var writtenAt: Timestamp
    package var receivedAt: Timestamp
    package var sequence: Int64?
    /// The revision that the state was restored from, if the user has not interacted since the restore. 0 if nothing was
    /// restored, and the user has not interacted. Such a capture is placed right below the archive with this revision, or
    /// else below all work, regardless of `capturedAt`. A device that moved
    /// to this user from another user may give a revision of the other user.
    package var restoredFrom: Revision?
    package var precondition: HeadPrecondition?
    package var context: Context
    package var digest: Digest
    package var summary: Archive.Summary
    package var bytes: [UInt8]
    /// The quotas of the app. They limit the upload.
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

    /// Returns the archive with times that are no earlier than a user's latest time. How long ago that time was is not known,
    /// so the capture's age does not put it below what was stored then.
    func noEarlier(than latest: Timestamp?) -> NewArchive {
        guard let latest else { return self }
        var new = self
        // A copy of an archive keeps the time at which the identifiers of its original were written.
        if writtenAt == capturedAt { new.writtenAt = max(writtenAt, latest) }
        new.capturedAt = max(capturedAt, latest)
        new.receivedAt = max(receivedAt, latest)
        return new
    }
}

/// The precondition of an upload (`If-Head`): the required head of the scene.
package enum HeadPrecondition: Sendable, Hashable {
    case none
    case revision(Revision)
}

/// The result of an upload. Indirect, because the result passes through the frames of several async functions, and an
/// archive is large.
package indirect enum PutResult: Sendable, Hashable {
    case created(Archive, head: Revision)
    /// The same bytes are already stored under this id. This check comes before the checks of all cases below, except
    /// `actorGone`.
    case identical(Archive, head: Revision)
    /// Other bytes are stored under this id.
    case differs(head: Revision)
    case deleted(head: Revision?)
    /// The precondition `If-Head` failed.
    case headMoved(head: Revision?)
    /// The archive's state is or may be older than the time at which the scene was forgotten.
    case forgotten(head: Revision?)
    /// The archive would be the first archive of its scene, and the maximum number of the user's scenes already hold
    /// archives (`App.Settings.Quotas.scenes`). Or the scene is new, and the store already knows the maximum number of
    /// the user's scenes.
    case tooManyScenes
    /// The archive would exceed a quota, even after retention removed archives of its scene. This check comes last.
    case quotaExceeded(QuotaExcess)
    /// The requesting device was revoked, or moved to another user, while the write waited. Or the archive to copy no
    /// longer exists. This check comes before all other checks.
    case actorGone
}
