import RestorationService

extension Transaction {
    /// Stores an archive after the checks that `PutResult` names, in its order.
    func put(_ new: NewArchive, _ content: Content, retention: Int) throws(StoreError) -> PutResult {
        let state = try connection.state(of: new.scene)
        var head: Archive.Position?
        if let state {
            head = try connection.head(of: state.id)
            if let head, let stored = try connection.archive(new.id, in: state.id, of: new.scene)?.archive {
                let isIdentical = stored.digest == new.digest && stored.size == new.bytes.count
                return isIdentical ? .identical(stored, head: head.revision) : .differs(head: head.revision)
            }
            if try connection.hasTombstone(of: new.id, in: state.id) { return .deleted(head: head?.revision) }
        }
        switch new.precondition {
        case .none?: if head != nil { return .headMoved(head: head?.revision) }
        case .revision(let revision)?: if head?.revision != revision { return .headMoved(head: head?.revision) }
        case nil: break
        }
        var (surroundings, count) = (CaptureOrder.Surroundings(), 0)
        if let state { (surroundings, count) = try connection.surroundings(of: new, in: state) }
        surroundings.head = head?.capturedAt
        guard case .captured(let capturedAt) = CaptureOrder.place(new, amid: surroundings) else {
            return .forgotten(head: head?.revision)
        }

        let user = if let state { state.user } else { try user(new.scene.owner) }
        let scene = if let state { state.id } else { try scene(new.scene.name, of: user) }
        let revision = try log(
            .archiveStored, for: user, scene: scene, archive: new.id, device: new.device, at: new.receivedAt)
        let archive = Archive(
            id: new.id, scene: new.scene, device: new.device, revision: revision, capturedAt: capturedAt,
            receivedAt: new.receivedAt, sequence: new.sequence, context: new.context, digest: new.digest,
            size: new.bytes.count, summary: new.summary)
        try insert(archive, in: scene, content: try insert(content))
        if count >= retention { try prune(scene, of: new.scene, keeping: retention) }
        return .created(archive, head: max(head ?? archive.position, archive.position).revision)
    }

    private func insert(_ content: Content) throws(StoreError) -> Int64 {
        let insert = try connection.statement(.insertContent)
        insert.bind(content.encoding.rawValue, at: 1)
        try insert.run(binding: content.bytes, at: 2)
        return connection.lastInsertedRow
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

    private func prune(_ scene: Int64, of key: SceneKey, keeping limit: Int) throws(StoreError) {
        let archives = try connection.archives(in: scene, of: key)
        var entries: [Retention.Entry] = []
        entries.reserveCapacity(archives.count)
        for stored in archives {
            let outcomes =
                stored.archive.hasOutcomes
                ? try connection.outcomes(of: stored.archive.id, content: stored.content) : []
            entries.append(
                Retention.Entry(stored.archive, isServable: Standing.isServable(stored.archive, after: outcomes)))
        }
        let surplus = Retention.surplus(of: entries, keeping: limit)
        for stored in archives where surplus.contains(stored.archive.id) { try remove(stored) }
    }

    /// Removes an archive with all that hangs on it.
    func remove(_ stored: StoredArchive) throws(StoreError) {
        let delete = try connection.statement(.deleteArchive)
        delete.bind(stored.scene, at: 1)
        delete.bind(stored.archive.capturedAt, at: 2)
        delete.bind(stored.archive.revision, at: 3)
        try delete.run()
        for query in [Query.deleteContent, .deleteServed, .deleteSnapshot, .deleteOutcomes] {
            let delete = try connection.statement(query)
            delete.bind(stored.content, at: 1)
            try delete.run()
        }
    }

    /// Leaves a tombstone.
    func bury(_ id: ArchiveID, in scene: Int64, at time: Timestamp) throws(StoreError) {
        let insert = try connection.statement(.insertTombstone)
        insert.bind(scene, at: 1)
        insert.bind(id, at: 2)
        insert.bind(time, at: 3)
        try insert.run()
    }
}

extension Query {
    fileprivate static let insertContent = Query("INSERT INTO content (encoding, bytes) VALUES (?1, ?2)")
    fileprivate static let insertArchive = Query(
        """
        INSERT INTO archive (
            scene, captured_at, revision, uuid, content, device, received_at, sequence, idiom, layout, bundle_version,
            system_version, state_version, digest, size, place, object_count, reference_count)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
        """)
    fileprivate static let deleteArchive = Query(
        "DELETE FROM archive WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3")
    fileprivate static let deleteContent = Query("DELETE FROM content WHERE id = ?1")
    fileprivate static let deleteServed = Query("DELETE FROM served WHERE content = ?1")
    fileprivate static let deleteSnapshot = Query("DELETE FROM snapshot WHERE content = ?1")
    fileprivate static let deleteOutcomes = Query("DELETE FROM outcome WHERE content = ?1")
    fileprivate static let insertTombstone = Query("INSERT OR REPLACE INTO tombstone VALUES (?1, ?2, ?3)")
}
