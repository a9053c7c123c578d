/// Head selection: decides where a new capture goes in its scene's history, whose newest archive is the head
/// (docs/decisions/0022-order-is-one-pure-rule.md). In one transaction, every store reads the scene's
/// `SceneOrderState`, decides the upload (`UploadDecision`) and stores the archive.
package enum CaptureOrder {
    /// When a scene was forgotten, and the user's revision at that time.
    package struct Forgotten: Sendable, Hashable {
        package var at: Timestamp
        package var revision: Revision
        package init(at: Timestamp, revision: Revision) {
            self.at = at
            self.revision = revision
        }
    }

    /// A new archive's position, without the revision that the store assigns.
    package struct Position: Sendable, Hashable {
        package var capturedAt: Timestamp
        /// `Archive.orderRevision`. Nil for the archive's own revision.
        package var orderRevision: Revision?

        package init(capturedAt: Timestamp, orderRevision: Revision? = nil) {
            self.capturedAt = capturedAt
            self.orderRevision = orderRevision
        }
    }

    package enum Placement: Sendable, Hashable {
        case at(Position)
        /// The capture is refused: its state may date from before the scene was forgotten.
        case forgotten
    }

    /// Decides the position of a capture. The store then assigns a revision above all stored ones, so the capture comes
    /// above other captures of the same time.
    ///
    /// A capture that belongs below a later capture of its device takes the time and the `orderRevision` of that
    /// capture. Their sequences then decide the order, so a capture can always be placed between two others of its
    /// device.
    package static func place(_ new: NewArchive, in scene: SceneOrderState) -> Placement {
        if let forgotten = scene.forgotten {
            if new.capturedAt < forgotten.at { return .forgotten }
            // An unchanged state that was restored before the scene was forgotten would bring the forgotten state back.
            // A device that joined the user after that moment can't have such a state.
            if let source = new.restoredFrom, 0 < source.rawValue, source <= forgotten.revision,
                scene.joined < forgotten.revision
            {
                return .forgotten
            }
        }
        // If the scene is empty, it may have been forgotten by a change that is pruned by now. So a capture is refused
        // if it was restored from a pruned revision.
        if scene.head == nil, let source = new.restoredFrom?.rawValue, 0 < source,
            source <= scene.prunedThrough.rawValue, scene.joined <= scene.prunedThrough
        {
            return .forgotten
        }
        var time = new.capturedAt
        if new.restoredFrom != nil {
            // Without an interaction, the capture is as old as the archive that was restored, so it goes right below
            // that archive. If nothing was restored, or if that archive is gone, the capture goes below all work.
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
    /// The `Archive.capturedAt` of view-only captures below all work: first screens, and views of archives that are
    /// gone.
    package static let belowAllWork = Timestamp(milliseconds: 0)

    /// The time one millisecond earlier.
    fileprivate var predecessor: Timestamp { Timestamp(milliseconds: milliseconds - 1) }
}
