import PlacekeeperService

extension Transaction {
    /// Checks an upload (`UploadDecision`), and stores the archive if it is new and no check refuses it.
    func put(_ new: NewArchive, _ content: Content, retention: Int) throws(StoreError) -> PutResult {
        try keepingScenes { () throws(StoreError) -> PutResult in
            let owner = try known(new.scene.owner)
            let scene: SceneMemory.Scene? = if let owner { try known(new.scene.name, of: owner) } else { nil }
            let state = try uploadState(of: new, in: scene, owner)
            let decision = try UploadDecision(new, in: state) { () throws(StoreError) in
                try orderState(of: new, in: scene, owner)
            } hasRoomForScene: { () throws(StoreError) in
                try hasRoom(forAdding: scene, of: owner)
            } surplus: { position throws(StoreError) in
                try surplus(after: new, at: position, in: scene, retention: retention)
            }
            switch decision {
            case .answer(let result): return result
            case .insert(let position):
                return try insert(
                    new, content, at: position, in: scene, of: owner, state, retention: retention)
            }
        }
    }

    /// Reads the facts for the decision about an upload.
    private func uploadState(
        of new: NewArchive, in scene: SceneMemory.Scene?, _ owner: SceneMemory.User?
    ) throws(StoreError) -> UploadState {
        var state = UploadState()
        if let actor = new.actor, owner?.devices.contains(actor) != true {
            guard try connection.device(actor, of: new.scene.owner) != nil else {
                state.isActorKnown = false
                return state
            }
            owner?.insert(actor)
        }
        if let original = new.original, scene?.history.contains(original) != true {
            state.isActorKnown = false
            return state
        }
        state.head = scene?.history.head
        state.quotas = try quotaFacts(of: owner?.row, in: new.scene.owner.app)
        if let scene {
            if scene.history.contains(new.id) {
                state.stored = try archive(new.id, in: new.scene)
            } else {
                state.isDeleted = try connection.hasTombstone(of: new.id, in: scene.id)
            }
        }
        return state
    }

    /// Returns whether the user's limits allow a scene without archives to receive an archive. `scene` is nil if the
    /// scene has no row yet.
    private func hasRoom(
        forAdding scene: SceneMemory.Scene?, of owner: SceneMemory.User?
    ) throws(StoreError) -> Bool {
        guard let owner else { return true }
        if scene == nil, try !connection.hasRoomForScenes(of: owner.row) { return false }
        return try connection.countOfScenesWithArchives(of: owner.row) < Limits.scenes
    }

    /// Inserts an archive, and the rows of its user and scene if they are new.
    private func insert(
        _ new: NewArchive, _ content: Content, at position: CaptureOrder.Position, in known: SceneMemory.Scene?,
        of owner: SceneMemory.User?, _ state: UploadState, retention: Int
    ) throws(StoreError) -> PutResult {
        let user = if let owner { owner } else { SceneMemory.User(try self.user(new.scene.owner)) }
        let scene = if let known { known } else { try makeScene(new.scene.name, of: user.row) }
        let archive = new.stored(revision: user.row.nextRevision, at: position)
        try insert(archive, content, in: scene, of: user, retention: retention, isOwn: new.actor == new.device)
        try log(
            .archiveStored, for: &user.row, scene: scene.id, archive: new.id, device: new.device, at: new.receivedAt)
        scenes.insert(scene, named: new.scene.name, of: user, new.scene.owner)
        return .created(archive, head: state.head(inserting: archive))
    }

    /// Returns the usage of the archives that retention would remove after a new archive. Changes nothing.
    private func surplus(
        after new: NewArchive, at position: CaptureOrder.Position, in scene: SceneMemory.Scene?, retention: Int
    ) throws(StoreError) -> Usage {
        guard let scene else { return Usage() }
        var history = scene.history
        history.insert(new.stored(revision: Revision(rawValue: .max), at: position))
        let rows = try takeSurplus(
            of: &history, in: scene.id, of: new.scene.owner, adding: new.id, keeping: retention)
        return rows.reduce(Usage()) { $0 + Usage(bytes: $1.bytes, archives: 1) }
    }

    /// Reads the facts that determine a new capture's position in the scene's history.
    private func orderState(
        of new: NewArchive, in scene: SceneMemory.Scene?, _ owner: SceneMemory.User?
    ) throws(StoreError) -> SceneOrderState {
        let pruned = owner?.row.prunedRevision ?? Revision(rawValue: 0)
        let history = scene?.history ?? History()
        var state = history.orderState(of: new, forgotten: scene?.forgotten, prunedThrough: pruned)
        guard let revision = new.restoredFrom else { return state }
        state.joined = try connection.joinedRevision(of: new.device)
        guard let source = history.entry(of: revision) else { return state }
        // A revision that is not above `joined` may be the revision of another user's archive. So in this case the
        // device must have been served the archive with this revision.
        var isOfThisUser = revision > state.joined
        if !isOfThisUser { isOfThisUser = try connection.wasServed(source.content, to: new.device) }
        if isOfThisUser { state.restoredFrom = source.position.capturedAt }
        return state
    }

    /// Inserts a row for a scene that the user does not have yet, and returns the scene.
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

    private func archive(_ id: ArchiveID, in scene: SceneKey) throws(StoreError) -> Archive {
        guard let stored = try connection.archive(id, in: scene)?.archive else {
            throw .corrupt("An archive is missing from its scene.")
        }
        return stored
    }

    /// Inserts an archive and removes surplus archives. The new bytes replace the bytes of the first removed archive,
    /// so that an upload to a full scene writes one page of bytes instead of two, and the file does not fragment.
    private func insert(
        _ archive: Archive, _ content: Content, in scene: SceneMemory.Scene, of user: SceneMemory.User, retention: Int,
        isOwn: Bool
    ) throws(StoreError) {
        var replaced: ArchiveRow?
        scene.history.insert(archive)
        let surplus = try takeSurplus(
            of: &scene.history, in: scene.id, of: archive.scene.owner, adding: archive.id, keeping: retention,
            knowing: isOwn ? archive.device : nil)
        for row in surplus {
            try remove(row, of: &user.row, withContent: replaced != nil)
            replaced = replaced ?? row
        }
        let row = ArchiveRow(
            scene: scene.id, position: archive.position, content: try write(content, replacing: replaced),
            bytes: archive.size,
            hasSnapshot: false, hasOutcomes: false)
        try insert(archive, at: row)
        try count(Usage(bytes: archive.size, archives: 1), of: &user.row)
        scene.history.place(row.content, of: archive.id)
    }

    /// Writes the bytes of a new archive, and returns their row in `content`. Larger bytes are appended to a segment.
    ///
    /// - Parameter replaced: a removed archive whose row in `content` the new bytes get.
    func write(_ content: Content, replacing replaced: ArchiveRow? = nil) throws(StoreError) -> Int64 {
        if let replaced { try freePlace(of: replaced) }
        let place = try segments.append(content.bytes, in: connection)
        let write = try connection.statement(replaced == nil ? .insertContent : .replaceContent)
        write.bind(content.encoding.rawValue, at: 1)
        if let replaced { write.bind(replaced.content, at: 3) }
        write.bind(place?.segment, at: 4)
        write.bind(place?.position, at: 5)
        write.bind(place?.size, at: 6)
        try write.run(binding: place == nil ? content.bytes : [], at: 2)
        return replaced?.content ?? connection.lastInsertedRow
    }

    func insert(_ archive: Archive, at row: ArchiveRow) throws(StoreError) {
        let insert = try connection.statement(.insertArchive)
        insert.bind(row.scene, at: 1)
        insert.bind(archive.capturedAt, at: 2)
        insert.bind(archive.revision, at: 3)
        insert.bind(archive.id, at: 4)
        insert.bind(row.content, at: 5)
        insert.bind(archive.device, at: 6)
        insert.bind(archive.receivedAt, at: 7)
        insert.bind(archive.sequence ?? -1, at: 8)
        insert.bind(archive.context, at: 9)
        insert.bind(archive.digest, at: 14)
        insert.bind(archive.size, at: 15)
        insert.bind(Netstrings.join(archive.summary.place), at: 16)
        insert.bind(archive.summary.objectCount, at: 17)
        insert.bind(archive.summary.referenceCount, at: 18)
        insert.bind(archive.writtenAt, at: 19)
        insert.bind(archive.orderRevision, at: 20)
        insert.bind(archive.isGlance ? 1 : 0, at: 21)
        try insert.run()
    }
}

extension Connection {
    /// Returns whether `count` more scenes of the user may get rows. `Limits.knownScenes` limits the rows of a user's
    /// scenes.
    func hasRoomForScenes(_ count: Int = 1, of user: UserRow) throws(StoreError) -> Bool {
        let select = try statement(.countOfScenes)
        select.bind(user.id, at: 1)
        select.bind(Limits.knownScenes, at: 2)
        return try select.step() ? select.count(0) + count <= Limits.knownScenes : false
    }

    /// Returns the revision that the device's user had when the device moved to this user from another user. 0 if the
    /// device never moved.
    fileprivate func joinedRevision(of device: DeviceID) throws(StoreError) -> Revision {
        let select = try statement(.joinedRevision)
        select.bind(device, at: 1)
        return try select.step() ? select.revision(0) : Revision(rawValue: 0)
    }

    func countOfScenesWithArchives(of user: UserRow) throws(StoreError) -> Int {
        let select = try statement(.countOfScenesWithArchives)
        select.bind(user.id, at: 1)
        return try select.step() ? select.count(0) : 0
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
    fileprivate static let insertContent = Query(
        "INSERT INTO content (encoding, bytes, segment, position, size) VALUES (?1, ?2, ?4, ?5, ?6)")
    fileprivate static let replaceContent = Query(
        """
        UPDATE content SET encoding = ?1, bytes = ?2, segment = ?4, position = ?5, size = ?6 WHERE id = ?3
        """)
    fileprivate static let insertArchive = Query(
        """
        INSERT INTO archive (
            scene, captured_at, revision, uuid, content, device, received_at, sequence, idiom, layout, bundle_version,
            system_version, state_version, digest, size, place, object_count, reference_count,
            written_at, order_revision, is_glance)
        VALUES (
            ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
        """)
}
