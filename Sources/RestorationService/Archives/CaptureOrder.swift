/// Where a new capture stands in its scene's history (design, "Order"). Every store reads the surroundings and stores
/// the archive in one transaction, and asks here in between.
package enum CaptureOrder {
    /// When a scene was forgotten, and the user's revision then.
    package struct Forgotten: Sendable, Hashable {
        package var at: Timestamp
        package var revision: Revision
        package init(at: Timestamp, revision: Revision) {
            self.at = at
            self.revision = revision
        }
    }

    /// What a scene holds that a new capture is placed by. Times are `capturedAt`.
    package struct Surroundings: Sendable, Hashable {
        package var head: Timestamp?
        /// Of the archive that the capture was restored from, by its `restoredFrom`; nil when it is gone, or when
        /// another user's archive may be meant: the device has moved here since that revision was given, and was not
        /// served it here.
        package var restoredFrom: Timestamp?
        /// The user's revision when the capture's device moved here from another user; 0 for a device that never did. A
        /// revision up to this one may be the other user's.
        package var joined: Revision
        /// The latest of the same device's captures with a lower sequence.
        package var ownEarlier: Timestamp?
        /// The earliest of the same device's captures with a higher sequence.
        package var ownLater: Timestamp?
        package var forgotten: Forgotten?
        /// Up to which revision the user's changes were pruned: of the scenes that they left empty nothing may be
        /// known.
        package var prunedThrough: Revision

        package init(
            head: Timestamp? = nil, restoredFrom: Timestamp? = nil, ownEarlier: Timestamp? = nil,
            ownLater: Timestamp? = nil, forgotten: Forgotten? = nil, prunedThrough: Revision = Revision(rawValue: 0),
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

    package enum Placement: Sendable, Hashable {
        case captured(at: Timestamp)
        /// The scene was forgotten after the state came about.
        case forgotten
    }

    /// Places a capture that will bear a greater revision than all that is stored, so that it stands above others of
    /// the same time.
    package static func place(_ new: NewArchive, amid scene: Surroundings) -> Placement {
        if let forgotten = scene.forgotten {
            if new.capturedAt < forgotten.at { return .forgotten }
            // A state that was restored before, and not touched since, would bring back the forgotten state. A device
            // that came later has restored nothing of it.
            if let source = new.restoredFrom, source <= forgotten.revision, scene.joined < forgotten.revision {
                return .forgotten
            }
        }
        // Whether an empty scene was forgotten is known for as long as changes are.
        if scene.head == nil, let source = new.restoredFrom?.rawValue, 0 < source,
            source <= scene.prunedThrough.rawValue, scene.joined <= scene.prunedThrough
        {
            return .forgotten
        }
        var time = new.capturedAt
        if new.restoredFrom != nil {
            // Nothing was done, so it is as old as its source; where that is gone, it still takes no head.
            if let source = scene.restoredFrom {
                time = source.predecessor
            } else if let head = scene.head {
                time = min(time, head.predecessor)
            }
        } else if let earlier = scene.ownEarlier {
            time = max(time, earlier)
        }
        if let later = scene.ownLater { time = min(time, later.predecessor) }
        return .captured(at: time)
    }
}

extension Timestamp {
    /// The last time before this one.
    fileprivate var predecessor: Timestamp { Timestamp(milliseconds: milliseconds - 1) }
}
