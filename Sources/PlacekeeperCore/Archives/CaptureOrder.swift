/// Head selection: the rules for the position of a new capture in its scene's history, whose newest archive is the head
/// (docs/decisions/0022-order-is-one-pure-rule.md). Every store reads the scene's `SceneOrderState`, decides the
/// upload (`UploadDecision`) and stores the archive in one transaction.
package enum CaptureOrder {
    /// The time at which a scene was forgotten, and the user's revision at this time.
    package struct Forgotten: Sendable, Hashable {
        package var at: Timestamp
        package var revision: Revision
        package init(at: Timestamp, revision: Revision) {
            self.at = at
            self.revision = revision
        }
    }

    /// The part of a new archive's position that the store does not assign.
    package struct Position: Sendable, Hashable {
        package var capturedAt: Timestamp
        /// `Archive.orderRevision`. Nil if it is the archive's own revision.
        package var orderRevision: Revision?

        package init(capturedAt: Timestamp, orderRevision: Revision? = nil) {
            self.capturedAt = capturedAt
            self.orderRevision = orderRevision
        }
    }

    package enum Placement: Sendable, Hashable {
        case at(Position)
        /// The capture is refused, because its state is or may be older than the time at which the scene was forgotten.
        case forgotten
    }

    /// Decides the position of a capture. The store will give the capture a revision that is greater than all stored
    /// revisions, so the capture comes above other captures of the same time. A capture that belongs below a later
    /// capture of its device gets the time and the `orderRevision` of that capture. Then their sequences decide, so
    /// there is always room between two captures of a device.
    package static func place(_ new: NewArchive, in scene: SceneOrderState) -> Placement {
        if let forgotten = scene.forgotten {
            if new.capturedAt < forgotten.at { return .forgotten }
            // If a state was restored before the scene was forgotten, and was not changed since the restore, it would
            // bring the forgotten state back. A device that joined the user after the scene was forgotten cannot have
            // restored this state.
            if let source = new.restoredFrom, 0 < source.rawValue, source <= forgotten.revision,
                scene.joined < forgotten.revision
            {
                return .forgotten
            }
        }
        // If the scene is empty, the store may have pruned the change that says that the scene was forgotten. So a
        // capture that was restored from a pruned revision is refused.
        if scene.head == nil, let source = new.restoredFrom?.rawValue, 0 < source,
            source <= scene.prunedThrough.rawValue, scene.joined <= scene.prunedThrough
        {
            return .forgotten
        }
        var time = new.capturedAt
        if new.restoredFrom != nil {
            // If the user did not interact, the capture is as old as the archive that was restored, so it comes right
            // below this archive. If nothing was restored, or if this archive no longer exists, the capture comes below
            // all work.
            time = scene.restoredFrom.map { max($0.predecessor, .belowAllWork) } ?? .belowAllWork
        } else if let earlier = scene.ownEarlier {
            time = max(time, earlier.capturedAt)
        }
        guard let later = scene.limit(at: time), later.capturedAt <= time else {
            return .at(Position(capturedAt: time))
        }
        return .at(Position(capturedAt: later.capturedAt, orderRevision: later.orderRevision))
    }
}

extension Timestamp {
    /// The `Archive.capturedAt` of a view that is ordered below all work: a first screen, or a view of an archive that no
    /// longer exists.
    package static let belowAllWork = Timestamp(milliseconds: 0)

    /// The time one millisecond earlier.
    fileprivate var predecessor: Timestamp { Timestamp(milliseconds: milliseconds - 1) }
}
