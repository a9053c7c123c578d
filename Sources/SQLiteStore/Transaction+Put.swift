import RestorationService

extension Transaction {
    /// Stores an archive after the checks that `PutResult` names, in its order.
    func put(_ new: NewArchive, _ content: Content, retention: Int) throws(StoreError) -> PutResult {
        if let actor = new.actor, try connection.device(actor, of: new.scene.owner) == nil { return .actorGone }
        let state = try connection.state(of: new.scene)
        let history = if let state { try connection.history(of: state.id) } else { History() }
        let head = history.head?.revision
        if let state {
            if let head, history.entries.contains(where: { $0.id == new.id }) {
                return try repeated(new, head: head)
            }
            if try connection.hasTombstone(of: new.id, in: state.id) { return .deleted(head: head) }
        }
        switch new.precondition {
        case .none?: if head != nil { return .headMoved(head: head) }
        case .revision(let revision)?: if head != revision { return .headMoved(head: head) }
        case nil: break
        }
        let owner = if let state { state.user } else { try connection.user(new.scene.owner) }
        let surroundings = history.surroundings(
            of: new, forgotten: state?.forgotten, prunedThrough: owner?.prunedRevision ?? Revision(rawValue: 0))
        guard case .captured(let capturedAt) = CaptureOrder.place(new, amid: surroundings) else {
            return .forgotten(head: head)
        }
        if head == nil, let owner {
            if state == nil, try !connection.hasRoomForScene(of: owner) { return .tooManyScenes }
            guard try connection.countOfScenesWithArchives(of: owner) < Limits.scenes else { return .tooManyScenes }
        }

        var user = if let owner { owner } else { try user(new.scene.owner) }
        let scene = if let state { state.id } else { try scene(new.scene.name, of: user) }
        try log(.archiveStored, for: &user, scene: scene, archive: new.id, device: new.device, at: new.receivedAt)
        let archive = Archive(
            id: new.id, scene: new.scene, device: new.device, revision: user.revision, capturedAt: capturedAt,
            receivedAt: new.receivedAt, sequence: new.sequence, context: new.context, digest: new.digest,
            size: new.bytes.count, summary: new.summary)
        try insert(archive, content, in: scene, amid: history, retention: retention)
        return .created(archive, head: max(history.head ?? archive.position, archive.position).revision)
    }

    private func repeated(_ new: NewArchive, head: Revision) throws(StoreError) -> PutResult {
        guard let stored = try connection.archive(new.id, in: new.scene)?.archive else {
            throw .corrupt("An archive is missing from its scene.")
        }
        let isIdentical = stored.digest == new.digest && stored.size == new.bytes.count
        return isIdentical ? .identical(stored, head: head) : .differs(head: head)
    }

    /// Inserts an archive and removes what is then too many. The first of those leaves its place to the new bytes, so
    /// that a full scene writes one page of bytes, not two, and the file does not fall to pieces.
    private func insert(
        _ archive: Archive, _ content: Content, in scene: Int64, amid history: History, retention: Int
    ) throws(StoreError) {
        var place: Int64?
        for row in try surplus(of: history, in: archive.scene, adding: archive, keeping: retention) {
            try remove(row, withContent: place != nil)
            place = place ?? row.content
        }
        try insert(archive, in: scene, content: write(content, to: place))
    }

    /// Writes bytes in the place of those of an archive that was removed, or in a new one.
    private func write(_ content: Content, to place: Int64?) throws(StoreError) -> Int64 {
        let write = try connection.statement(place == nil ? .insertContent : .replaceContent)
        write.bind(content.encoding.rawValue, at: 1)
        if let place { write.bind(place, at: 3) }
        try write.run(binding: content.bytes, at: 2)
        return place ?? connection.lastInsertedRow
    }

    private func insert(_ archive: Archive, in scene: Int64, content: Int64) throws(StoreError) {
        let insert = try connection.statement(.insertArchive)
        insert.bind(scene, at: 1)
        insert.bind(archive.capturedAt, at: 2)
        insert.bind(archive.revision, at: 3)
        insert.bind(archive.id, at: 4)
        insert.bind(content, at: 5)
        insert.bind(archive.device, at: 6)
        insert.bind(archive.receivedAt, at: 7)
        insert.bind(archive.sequence, at: 8)
        insert.bind(archive.context, at: 9)
        insert.bind(archive.digest, at: 14)
        insert.bind(archive.size, at: 15)
        insert.bind(Netstrings.join(archive.summary.place), at: 16)
        insert.bind(archive.summary.objectCount, at: 17)
        insert.bind(archive.summary.referenceCount, at: 18)
        try insert.run()
    }
}

extension Connection {
    /// Whether one more scene of a user may be known of.
    func hasRoomForScene(of user: UserRow) throws(StoreError) -> Bool {
        let select = try statement(.countOfScenes)
        select.bind(user.id, at: 1)
        select.bind(Limits.knownScenes, at: 2)
        return try select.step() && select.integer(0) < Int64(Limits.knownScenes)
    }

    fileprivate func countOfScenesWithArchives(of user: UserRow) throws(StoreError) -> Int {
        let select = try statement(.countOfScenesWithArchives)
        select.bind(user.id, at: 1)
        return try select.step() ? Int(select.integer(0)) : 0
    }
}

extension Query {
    fileprivate static let countOfScenes = Query(
        "SELECT count(*) FROM (SELECT 1 FROM scene WHERE user = ?1 LIMIT ?2)")
    fileprivate static let countOfScenesWithArchives = Query(
        """
        SELECT count(*) FROM scene
        WHERE user = ?1 AND EXISTS (SELECT 1 FROM archive WHERE archive.scene = scene.id)
        """)
    fileprivate static let insertContent = Query("INSERT INTO content (encoding, bytes) VALUES (?1, ?2)")
    fileprivate static let replaceContent = Query("UPDATE content SET encoding = ?1, bytes = ?2 WHERE id = ?3")
    fileprivate static let insertArchive = Query(
        """
        INSERT INTO archive (
            scene, captured_at, revision, uuid, content, device, received_at, sequence, idiom, layout, bundle_version,
            system_version, state_version, digest, size, place, object_count, reference_count)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
        """)
}
