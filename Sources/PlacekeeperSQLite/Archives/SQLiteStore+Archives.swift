package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func archive(_ id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> ArchiveLookup {
        try readers.read { connection throws(StoreError) in
            if let stored = try connection.archive(id, in: scene) { return .stored(stored.archive) }
            guard let row = try connection.row(of: scene) else { return .none }
            return try connection.timeOfDeletion(of: id, in: row) == nil ? .none : .deleted
        }
    }

    /// Reads the archives of `scenesAtOnce` scenes, so each step takes a few milliseconds.
    package func search(for id: ArchiveID, in app: AppID, from step: Int64) async throws(StoreError) -> ArchiveSearch {
        let end = step.addingReportingOverflow(Self.scenesAtOnce).partialValue
        return try readers.readAtOnce { connection throws(StoreError) in
            let select = try connection.statement(.archivesWithID, id, step, end, app)
            let scenes = try select.rows(leavingOut: damaged, named: { _ in "a user without a readable id" }) {
                row throws(StoreError) in SceneKey(owner: UserKey(app: app, user: try row.id(0)), name: row.text(1))
            }
            let last = try connection.statement(.lastScene)
            let isComplete = try last.step() ? last.key(0) < end : true
            return ArchiveSearch(scenes: scenes, next: isComplete ? nil : end)
        }
    }

    private static let scenesAtOnce: Int64 = 1000

    package func bytes(of archive: Archive) async throws(StoreError) -> [UInt8]? {
        let version = versions.userVersion(of: archive.scene.owner).version
        if let head = heads.head(of: archive.scene, at: version), head.archive.revision == archive.revision,
            let bytes = head.bytes
        {
            return bytes
        }
        let content = try readers.read { connection throws(StoreError) in try connection.content(of: archive) }
        return try content?.original(count: archive.size, with: compression)
    }

    package func history(
        of scene: SceneKey, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> HistoryPage {
        try readers.readAtOnce { connection throws(StoreError) in
            HistoryPage(
                archives: try connection.candidates(in: scene, device: nil, below: position, limit: limit),
                head: try connection.head(of: scene)?.revision)
        }
    }

    package func head(of scene: SceneKey) async throws(StoreError) -> Archive.Position? {
        let version = versions.userVersion(of: scene.owner).version
        if let head = heads.head(of: scene, at: version) { return head.archive.position }
        return try readers.read { connection throws(StoreError) in try connection.head(of: scene) }
    }

    package func sceneHeads(
        of owner: UserKey, behind scene: String?, limit: Int
    ) async throws(StoreError) -> [Archive] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.headsOfScenes, owner, scene ?? "", limit)
            var heads: [Archive] = []
            while try select.step() {
                let scene = SceneKey(owner: owner, name: select.text(Query.archiveColumnCount))
                heads.append(try select.archive(in: scene))
            }
            return heads
        }
    }

    /// Records only the first time a device fetches an archive, so repeated fetches need no commit.
    package func recordServing(
        _ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp
    ) async throws(StoreError) {
        let isKnown = try readers.read { connection throws(StoreError) in
            guard let stored = try connection.archive(archive, in: scene) else { return true }
            return try connection.wasServed(stored.row.content, to: device)
        }
        if !isKnown { _ = try await carryOut(.recordServing(archive, in: scene, to: device, at: time)) }
    }

    package func outcomes(of id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> [Outcome] {
        try readers.read { connection throws(StoreError) in
            guard let stored = try connection.archive(id, in: scene) else { return [] }
            return try connection.outcomes(of: id, content: stored.row.content)
        }
    }

    package func screenshot(for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Screenshot? {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.screenshot, scene, id)
            guard try select.step() else { return nil }
            guard let format = Screenshot.Format(rawValue: select.text(0)) else {
                throw .corrupt("A screenshot has an unknown format.")
            }
            return Screenshot(format: format, bytes: select.bytes(1))
        }
    }

    package func deletedArchives(in scene: SceneKey, at time: Timestamp) async throws(StoreError) -> [DeletedArchive] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.deletedArchives, scene, time - Retention.tombstones)
            var archives: [DeletedArchive] = []
            while try select.step() {
                archives.append(
                    DeletedArchive(
                        archive: try select.archive(in: scene), deletedAt: try select.time(Query.archiveColumnCount)))
            }
            return archives
        }
    }
}

extension Connection {
    func candidates(
        in scene: SceneKey, device: DeviceID?, below position: Archive.Position?, limit: Int
    ) throws(StoreError) -> [Archive] {
        let select = try statement(
            device == nil ? .candidates : .candidatesOfDevice, scene, position?.capturedAt.milliseconds ?? .max,
            position?.orderRevision.rawValue ?? .max, position.map { $0.sequence ?? -1 } ?? .max,
            position?.revision.rawValue ?? .max, limit)
        if let device { select.bind(device, at: 9) }
        var archives: [Archive] = []
        while try select.step() { archives.append(try select.archive(in: scene)) }
        return archives
    }

    func head(of scene: SceneKey) throws(StoreError) -> Archive.Position? {
        let select = try statement(.headOfSceneKey, scene)
        return try select.step() ? try select.position(at: 0) : nil
    }

    /// Returns the stored bytes of an archive, or `nil` if the archive was deleted.
    func content(of archive: Archive) throws(StoreError) -> Content? {
        let select = try statement(.bytes, archive.scene, archive.capturedAt, archive.revision)
        guard try select.step() else { return nil }
        return try Content(encoding: select.key(0), bytes: select.bytes(1))
    }

    fileprivate func wasServed(_ content: Int64, to device: DeviceID) throws(StoreError) -> Bool {
        let select = try statement(.wasServed, content, device)
        return try select.step()
    }
}

extension Query {
    private static let ofScene = """
        archive.scene = (
            SELECT scene.id FROM user JOIN scene ON scene.user = user.id
            WHERE user.app = ?1 AND user.uuid = ?2 AND scene.name = ?3)
        """
    private static let below = "(\(orderColumns)) < (?4, ?5, ?6, ?7)"
    private static let backwards = "ORDER BY \(newestFirst) LIMIT ?8"
    fileprivate static let candidates = Query(
        """
        SELECT \(archiveColumns) FROM archive
        WHERE \(ofScene) AND \(below) \(backwards)
        """)
    fileprivate static let candidatesOfDevice = Query(
        """
        SELECT \(archiveColumns) FROM archive
        WHERE \(ofScene) AND \(below) AND archive.device = ?9 \(backwards)
        """)
    fileprivate static let archivesWithID = Query(
        """
        SELECT user.uuid, scene.name
        FROM archive CROSS JOIN scene ON scene.id = archive.scene CROSS JOIN user ON user.id = scene.user
        WHERE archive.scene >= ?2 AND archive.scene < ?3 AND archive.uuid = ?1 AND user.app = ?4
        """)
    fileprivate static let lastScene = Query("SELECT coalesce(max(id), 0) FROM scene")
    fileprivate static let bytes = Query(
        """
        SELECT content.encoding, content.bytes
        FROM archive CROSS JOIN content ON content.id = archive.content
        WHERE \(ofScene) AND archive.captured_at = ?4 AND archive.revision = ?5
        """)
    fileprivate static let headOfSceneKey = Query(
        """
        SELECT \(orderColumns) FROM archive WHERE \(ofScene)
        ORDER BY \(newestFirst) LIMIT 1
        """)
    fileprivate static let headsOfScenes = Query(
        """
        SELECT \(archiveColumns), scene.name
        FROM user CROSS JOIN scene ON scene.user = user.id CROSS JOIN archive ON archive.scene = scene.id
            AND (archive.captured_at, archive.revision) = (
                SELECT captured_at, revision FROM archive AS newest WHERE newest.scene = scene.id
                ORDER BY captured_at DESC, order_revision DESC, sequence DESC, revision DESC LIMIT 1)
        WHERE user.app = ?1 AND user.uuid = ?2 AND scene.name > ?3 ORDER BY scene.name LIMIT ?4
        """)
    fileprivate static let wasServed = Query("SELECT 1 FROM served WHERE content = ?1 AND device = ?2")
    fileprivate static let screenshot = Query(
        """
        SELECT screenshot.format, screenshot.bytes
        FROM user JOIN scene ON scene.user = user.id JOIN archive ON archive.scene = scene.id
            JOIN screenshot ON screenshot.content = archive.content
        WHERE user.app = ?1 AND user.uuid = ?2 AND scene.name = ?3 AND archive.uuid = ?4
        """)
    fileprivate static let deletedArchives = Query(
        """
        SELECT \(archiveColumns), deleted_at
        FROM user CROSS JOIN scene ON scene.user = user.id CROSS JOIN deleted_archive AS archive ON archive.scene = scene.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND scene.name = ?3 AND deleted_at >= ?4
        ORDER BY deleted_at DESC, archive.revision DESC
        """)
}
