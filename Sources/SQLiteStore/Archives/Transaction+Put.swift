import RestorationService

extension Transaction {
    /// Stores an archive after the checks that `PutResult` lists, in its order.
    func put(_ new: NewArchive, _ content: Content, retention: Int) throws(StoreError) -> PutResult {
        try keepingScenes { () throws(StoreError) -> PutResult in
            try decide(new, content, retention: retention)
        }
    }

    private func decide(_ new: NewArchive, _ content: Content, retention: Int) throws(StoreError) -> PutResult {
        let (owner, name) = (new.scene.owner, new.scene.name)
        let known = try known(owner)
        if let actor = new.actor, known?.devices.contains(actor) != true {
            guard try connection.device(actor, of: owner) != nil else { return .actorGone }
            known?.insert(actor)
        }
        let scene: SceneMemory.Scene? = if let known { try self.known(name, of: known) } else { nil }
        let headPosition = scene?.history.head
        let head = headPosition?.revision
        if let scene {
            if let head, scene.history.contains(new.id) { return try repeated(new, head: head) }
            if try connection.hasTombstone(of: new.id, in: scene.id) { return .deleted(head: head) }
        }
        switch new.precondition {
        case .none?: if head != nil { return .headMoved(head: head) }
        case .revision(let revision)?: if head != revision { return .headMoved(head: head) }
        case nil: break
        }
        let surroundings = try surroundings(of: new, in: scene, known)
        guard case .captured(let capturedAt) = CaptureOrder.place(new, amid: surroundings) else {
            return .forgotten(head: head)
        }
        if head == nil, let known {
            if scene == nil, try !connection.hasRoomForScenes(of: known.row) { return .tooManyScenes }
            guard try connection.countOfScenesWithArchives(of: known.row) < Limits.scenes else { return .tooManyScenes }
        }

        let user = if let known { known } else { SceneMemory.User(try user(owner)) }
        let target = if let scene { scene } else { try makeScene(name, of: user.row) }
        try log(
            .archiveStored, for: &user.row, scene: target.id, archive: new.id, device: new.device,
            at: new.receivedAt)
        let archive = Archive(
            id: new.id, scene: new.scene, device: new.device, revision: user.row.revision, capturedAt: capturedAt,
            writtenAt: new.writtenAt, receivedAt: new.receivedAt, sequence: new.sequence, context: new.context,
            digest: new.digest,
            size: new.bytes.count, summary: new.summary)
        try insert(archive, content, in: target, retention: retention, isOwn: new.actor == new.device)
        scenes.insert(target, named: name, of: user, owner)
        return .created(archive, head: max(headPosition ?? archive.position, archive.position).revision)
    }

    /// Returns the facts that decide a new capture's place in the order.
    private func surroundings(
        of new: NewArchive, in scene: SceneMemory.Scene?, _ user: SceneMemory.User?
    ) throws(StoreError) -> CaptureOrder.Surroundings {
        let pruned = user?.row.prunedRevision ?? Revision(rawValue: 0)
        let history = scene?.history ?? History()
        var surroundings = history.surroundings(of: new, forgotten: scene?.forgotten, prunedThrough: pruned)
        guard let revision = new.restoredFrom else { return surroundings }
        surroundings.joined = try connection.joinedRevision(of: new.device)
        guard let source = history.entry(of: revision) else { return surroundings }
        // Before the device joined this user, an archive of another user may have had this revision.
        var isOfThisUser = revision > surroundings.joined
        if !isOfThisUser { isOfThisUser = try connection.wasServed(source.content, to: new.device) }
        if isOfThisUser { surroundings.restoredFrom = source.position.capturedAt }
        return surroundings
    }

    /// Inserts the row of an unknown scene.
    private func makeScene(_ name: String, of user: UserRow) throws(StoreError) -> SceneMemory.Scene {
        SceneMemory.Scene(id: try scene(name, of: user), forgotten: nil, history: History())
    }

    private func known(_ owner: UserKey) throws(StoreError) -> SceneMemory.User? {
        if let known = scenes.user(owner) { return known }
        guard let row = try connection.user(owner) else { return nil }
        return SceneMemory.User(row)
    }

    private func known(_ scene: String, of user: SceneMemory.User) throws(StoreError) -> SceneMemory.Scene? {
        if let known = user.scenes[scene] { return known }
        return try connection.scene(scene, of: user.row)
    }

    private func repeated(_ new: NewArchive, head: Revision) throws(StoreError) -> PutResult {
        guard let stored = try connection.archive(new.id, in: new.scene)?.archive else {
            throw .corrupt("A scene lists an archive that is missing.")
        }
        let isIdentical = stored.digest == new.digest && stored.size == new.bytes.count
        return isIdentical ? .identical(stored, head: head) : .differs(head: head)
    }

    /// Inserts an archive and removes surplus archives. The new bytes replace those of the first removed archive, so
    /// that a full scene writes one page of bytes instead of two, and the file does not fragment.
    private func insert(
        _ archive: Archive, _ content: Content, in scene: SceneMemory.Scene, retention: Int, isOwn: Bool
    ) throws(StoreError) {
        var place: Int64?
        scene.history.insert(archive)
        let surplus = try takeSurplus(
            of: &scene.history, in: scene.id, of: archive.scene.owner, adding: archive.id, keeping: retention,
            knowing: isOwn ? archive.device : nil)
        for row in surplus {
            try remove(row, withContent: place != nil)
            place = place ?? row.content
        }
        let row = ArchiveRow(
            scene: scene.id, position: archive.position, content: try write(content, to: place), hasSnapshot: false,
            hasOutcomes: false)
        try insert(archive, at: row)
        scene.history.place(row.content, of: archive.id)
    }

    /// Writes the bytes over those of a removed archive, or inserts them.
    private func write(_ content: Content, to place: Int64?) throws(StoreError) -> Int64 {
        let write = try connection.statement(place == nil ? .insertContent : .replaceContent)
        write.bind(content.encoding.rawValue, at: 1)
        if let place { write.bind(place, at: 3) }
        try write.run(binding: content.bytes, at: 2)
        return place ?? connection.lastInsertedRow
    }

    private func insert(_ archive: Archive, at row: ArchiveRow) throws(StoreError) {
        let insert = try connection.statement(.insertArchive)
        insert.bind(row.scene, at: 1)
        insert.bind(archive.capturedAt, at: 2)
        insert.bind(archive.revision, at: 3)
        insert.bind(archive.id, at: 4)
        insert.bind(row.content, at: 5)
        insert.bind(archive.device, at: 6)
        insert.bind(archive.receivedAt, at: 7)
        insert.bind(archive.sequence, at: 8)
        insert.bind(archive.context, at: 9)
        insert.bind(archive.digest, at: 14)
        insert.bind(archive.size, at: 15)
        insert.bind(Netstrings.join(archive.summary.place), at: 16)
        insert.bind(archive.summary.objectCount, at: 17)
        insert.bind(archive.summary.referenceCount, at: 18)
        insert.bind(archive.writtenAt, at: 19)
        try insert.run()
    }
}

extension Connection {
    /// Whether the user may have more known scenes.
    func hasRoomForScenes(_ count: Int = 1, of user: UserRow) throws(StoreError) -> Bool {
        let select = try statement(.countOfScenes)
        select.bind(user.id, at: 1)
        select.bind(Limits.knownScenes, at: 2)
        return try select.step() && Int(select.integer(0)) + count <= Limits.knownScenes
    }

    /// Returns the user's revision when the device moved here from another user. 0 if the device never moved.
    fileprivate func joinedRevision(of device: DeviceID) throws(StoreError) -> Revision {
        let select = try statement(.joinedRevision)
        select.bind(device, at: 1)
        return try select.step() ? select.revision(0) : Revision(rawValue: 0)
    }

    func countOfScenesWithArchives(of user: UserRow) throws(StoreError) -> Int {
        let select = try statement(.countOfScenesWithArchives)
        select.bind(user.id, at: 1)
        return try select.step() ? Int(select.integer(0)) : 0
    }
}

extension Query {
    fileprivate static let countOfScenes = Query(
        "SELECT count(*) FROM (SELECT 1 FROM scene WHERE user = ?1 LIMIT ?2)")
    fileprivate static let joinedRevision = Query("SELECT joined_revision FROM device WHERE uuid = ?1")
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
            system_version, state_version, digest, size, place, object_count, reference_count,
            written_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
        """)
}
