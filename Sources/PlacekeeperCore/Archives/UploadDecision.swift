/// The facts about a user and a scene that decide an upload. A store reads them and carries out the decision in one
/// transaction.
package struct UploadState: Sendable {
    /// Whether the device that sends the upload still belongs to the scene's owner. True if no device sends the upload.
    /// False if the archive to copy (`NewArchive.original`) isn't stored.
    package var isActorKnown = true
    /// The archive that is already stored under the upload's id.
    package var stored: Archive?
    /// Whether an archive with the upload's id was deleted.
    package var isDeleted = false
    /// The position of the scene's head. Nil if the scene is empty.
    package var head: Archive.Position?
    package var quotas = QuotaFacts()

    package init() {}
}

/// The decision about an upload: a result without a new archive, or the new archive's position in the scene's history.
/// Uploads are idempotent: a repeated one gets the first result. Other bytes under the same id are a conflict.
package enum UploadDecision: Sendable, Hashable {
    case answer(PutResult)
    case insert(at: CaptureOrder.Position)

    /// Makes the checks of `PutResult` in their order, then decides the archive's position. The same input always leads
    /// to the same decision.
    ///
    /// - Parameters:
    ///   - order: returns the facts for the archive's position. Called only if no earlier check refuses the upload.
    ///   - hasRoomForScene: returns whether the user may have another scene with archives. Called only if no earlier
    ///     check refuses the upload and its scene is empty.
    ///   - prunable: returns the usage of the archives that retention removes if the upload is stored at the given
    ///     position. Called last, and only if the upload would exceed a quota before they are removed.
    package init<Failure: Error>(
        _ new: NewArchive, in state: UploadState, order: () throws(Failure) -> SceneOrderState,
        hasRoomForScene: () throws(Failure) -> Bool, prunable: (CaptureOrder.Position) throws(Failure) -> Usage
    ) throws(Failure) {
        let head = state.head?.revision
        if let refusal = Self.refusal(of: new, in: state) {
            self = .answer(refusal)
        } else if case .at(let position) = CaptureOrder.place(new, in: try order()) {
            let hasRoom = if head == nil { try hasRoomForScene() } else { true }
            if !hasRoom {
                self = .answer(.tooManyScenes)
            } else if let excess = try Self.excess(
                of: new, in: state,
                prunable: { () throws(Failure) in
                    try prunable(position)
                })
            {
                self = .answer(.quotaExceeded(excess))
            } else {
                self = .insert(at: position)
            }
        } else {
            self = .answer(.forgotten(head: head))
        }
    }

    private static func excess<Failure: Error>(
        of new: NewArchive, in state: UploadState, prunable: () throws(Failure) -> Usage
    ) throws(Failure) -> QuotaExcess? {
        let growth = Usage(bytes: new.bytes.count, archives: 1)
        guard new.quotas.excess(adding: growth, to: state.quotas) != nil else { return nil }
        return new.quotas.excess(adding: growth + -(try prunable()), to: state.quotas)
    }

    private static func refusal(of new: NewArchive, in state: UploadState) -> PutResult? {
        guard state.isActorKnown else { return .actorGone }
        let head = state.head?.revision
        if let stored = state.stored {
            let head = head ?? stored.revision
            let isIdentical = stored.digest == new.digest && stored.size == new.bytes.count
            return isIdentical ? .identical(stored, head: head) : .differs(head: head)
        }
        if state.isDeleted { return .deleted(head: head) }
        // The precondition `If-Head`.
        switch new.precondition {
        case .none?: return head == nil ? nil : .headMoved(head: head)
        case .revision(let revision)?: return head == revision ? nil : .headMoved(head: head)
        case nil: return nil
        }
    }
}

extension NewArchive {
    /// Returns the archive as stored, with the revision that the store assigned.
    package func stored(revision: Revision, at position: CaptureOrder.Position) -> Archive {
        Archive(
            id: id, scene: scene, device: device, revision: revision, capturedAt: position.capturedAt,
            writtenAt: writtenAt, receivedAt: receivedAt, sequence: sequence, context: context, digest: digest,
            size: bytes.count, summary: summary, orderRevision: position.orderRevision,
            isViewOnly: restoredFrom != nil)
    }
}

extension UploadState {
    /// Returns the revision of the scene's head once `archive` is inserted.
    package func head(inserting archive: Archive) -> Revision {
        max(head ?? archive.position, archive.position).revision
    }
}
