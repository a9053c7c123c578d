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
    /// The greatest position of the same device's captures with a lower sequence.
    package var ownEarlier: Archive.Position?
    /// The least position of the same device's captures with a higher sequence, without view-only captures.
    package var ownLater: Archive.Position?
    /// The positions of the same device's view-only captures with a higher sequence. Empty if the capture is no view-only capture.
    package var ownLaterViews: [Archive.Position] = []
    package var forgotten: CaptureOrder.Forgotten?
    /// The revision up to which the user's changes were pruned. The store may no longer know a scene that one of these
    /// changes left empty.
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

    /// Notes a stored archive of the scene that the capture's device made.
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

    /// Returns the least position of the later captures of the device that a capture of this time must be below. A later
    /// view-only capture says nothing about the age of an interaction, so only a view-only capture of the same place of the order is a limit,
    /// and only for a view-only capture.
    func limit(at time: Timestamp) -> Archive.Position? {
        (ownLaterViews.filter { $0.capturedAt == time } + [ownLater].compactMap(\.self)).min()
    }
}
