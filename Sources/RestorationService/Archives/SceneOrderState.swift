/// The facts about a scene that determine the position of a new capture. The times are values of `capturedAt`.
package struct SceneOrderState: Sendable, Hashable {
    package var head: Timestamp?
    /// The time of the archive whose revision is the capture's `restoredFrom`. Nil if this archive no longer exists.
    /// Also nil if the revision may belong to another user: the device moved to this user after the revision was
    /// assigned, and was never served this user's archive of that revision.
    package var restoredFrom: Timestamp?
    /// The user's revision when the capture's device moved to this user from another user. 0 if the device never
    /// moved. A `restoredFrom` that is not above this revision may be a revision of the other user.
    package var joined: Revision
    /// The time of the same device's latest capture with a lower sequence.
    package var ownEarlier: Timestamp?
    /// The time of the same device's earliest capture with a higher sequence.
    package var ownLater: Timestamp?
    package var forgotten: CaptureOrder.Forgotten?
    /// The revision up to which the user's changes were pruned. The store may no longer know a scene that one of these
    /// changes left empty.
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
