/// The facts about a scene that determine the position of a new capture. Times are `capturedAt`.
package struct SceneOrderState: Sendable, Hashable {
    package var head: Timestamp?
    /// The time of the archive that the capture was restored from, by its `restoredFrom`. Nil if the archive no
    /// longer exists, or if the revision may be another user's: the device moved here after the revision was
    /// assigned, and was not served the archive here.
    package var restoredFrom: Timestamp?
    /// The user's revision when the capture's device moved here from another user. 0 for a device that never
    /// moved. Revisions up to this one may be the other user's.
    package var joined: Revision
    /// The latest of the same device's captures with a lower sequence.
    package var ownEarlier: Timestamp?
    /// The earliest of the same device's captures with a higher sequence.
    package var ownLater: Timestamp?
    package var forgotten: CaptureOrder.Forgotten?
    /// The revision up to which the user's changes were pruned. Scenes that these changes left empty may be
    /// unknown.
    package var prunedThrough: Revision

    package init(
        head: Timestamp? = nil, restoredFrom: Timestamp? = nil, ownEarlier: Timestamp? = nil,
        ownLater: Timestamp? = nil, forgotten: CaptureOrder.Forgotten? = nil,
        prunedThrough: Revision = Revision(rawValue: 0),
        joined: Revision = Revision(rawValue: 0)
    ) {
        self.head = head
        self.restoredFrom = restoredFrom
        self.ownEarlier = ownEarlier
        self.ownLater = ownLater
        self.forgotten = forgotten
        self.prunedThrough = prunedThrough
        self.joined = joined
    }
}
