/// The facts about a scene that determine the position of a new capture. The times are values of `capturedAt`.
package struct SceneOrderState: Sendable, Hashable {
    package var head: Timestamp?
    /// The time of the archive that has the capture's `restoredFrom` as its revision. Nil if this archive is gone.
    ///
    /// Also nil if the revision may belong to another user: the device moved here after the revision was assigned, and
    /// was never served this user's archive of that revision.
    package var restoredFrom: Timestamp?
    /// The user's revision when the capture's device moved here from another user, or 0 if it never moved. A
    /// `restoredFrom` up to this value may be a revision of the other user.
    package var joined: Revision
    /// The greatest position among the same device's captures with a lower sequence.
    package var ownEarlier: Archive.Position?
    /// The least position among the same device's captures with a higher sequence. View-only captures don't count.
    package var ownLater: Archive.Position?
    /// The positions of the same device's view-only captures with a higher sequence. Empty unless the new capture is
    /// view-only.
    package var ownLaterViews: [Archive.Position] = []
    package var forgotten: CaptureOrder.Forgotten?
    /// The revision through which the user's changes were pruned. If one of them left a scene empty, the store may have
    /// no record of the scene.
    package var prunedThrough: Revision

    package init(
        head: Timestamp? = nil, restoredFrom: Timestamp? = nil, ownEarlier: Archive.Position? = nil,
        ownLater: Archive.Position? = nil, ownLaterViews: [Archive.Position] = [],
        forgotten: CaptureOrder.Forgotten? = nil, prunedThrough: Revision = Revision(rawValue: 0),
        joined: Revision = Revision(rawValue: 0)
    ) {
        self.head = head
        self.restoredFrom = restoredFrom
        self.ownEarlier = ownEarlier
        self.ownLater = ownLater
        self.ownLaterViews = ownLaterViews
        self.forgotten = forgotten
        self.prunedThrough = prunedThrough
        self.joined = joined
    }

    /// Adds a stored archive of the scene by the capture's device.
    package mutating func note(own position: Archive.Position, isViewOnly: Bool, for new: NewArchive) {
        guard let sequence = position.sequence, let own = new.sequence else { return }
        if sequence < own {
            ownEarlier = max(ownEarlier ?? position, position)
        } else if sequence > own {
            if !isViewOnly {
                ownLater = min(ownLater ?? position, position)
            } else if new.restoredFrom != nil {
                ownLaterViews.append(position)
            }
        }
    }

    /// Returns the lowest of the device's later captures that a capture of this time must stay below. The position of a
    /// view-only capture comes from the archive that was restored, not from an interaction. So one with a higher
    /// sequence limits only another view-only capture that gets the same time.
    func limit(at time: Timestamp) -> Archive.Position? {
        (ownLaterViews.filter { $0.capturedAt == time } + [ownLater].compactMap(\.self)).min()
    }
}
