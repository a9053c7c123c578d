import RestorationService

/// An archive with the rows that it lies in.
struct StoredArchive {
    var archive: Archive
    var scene: Int64
    var content: Int64
}

/// A scene as a new capture finds it.
struct SceneState {
    var id: Int64
    var user: Int64
    var forgotten: CaptureOrder.Forgotten?
}

// Reads that transactions make as well as readers.
extension Connection {
    func state(of key: SceneKey) throws(StoreError) -> SceneState? {
        let select = try statement(.stateOfScene)
        select.bind(key, at: 1)
        guard try select.step() else { return nil }
        var state = SceneState(id: select.integer(0), user: select.integer(1))
        if !select.isNull(2) {
            state.forgotten = CaptureOrder.Forgotten(at: select.time(2), revision: select.revision(3))
        }
        return state
    }

    func archive(_ id: ArchiveID, in scene: Int64, of key: SceneKey) throws(StoreError) -> StoredArchive? {
        let select = try statement(.archive)
        select.bind(scene, at: 1)
        select.bind(id, at: 2)
        return try select.step() ? try select.storedArchive(in: scene, of: key) : nil
    }

    func archive(_ id: ArchiveID, in key: SceneKey) throws(StoreError) -> StoredArchive? {
        guard let scene = try scene(key) else { return nil }
        return try archive(id, in: scene, of: key)
    }

    /// A scene's whole history, from the head backwards.
    func archives(in scene: Int64, of key: SceneKey) throws(StoreError) -> [StoredArchive] {
        let select = try statement(.archivesOfScene)
        select.bind(scene, at: 1)
        var archives: [StoredArchive] = []
        while try select.step() { archives.append(try select.storedArchive(in: scene, of: key)) }
        return archives
    }

    func hasTombstone(of id: ArchiveID, in scene: Int64) throws(StoreError) -> Bool {
        let select = try statement(.tombstone)
        select.bind(scene, at: 1)
        select.bind(id, at: 2)
        return try select.step()
    }

    func head(of scene: Int64) throws(StoreError) -> Archive.Position? {
        let select = try statement(.headOfScene)
        select.bind(scene, at: 1)
        return try select.step() ? select.position : nil
    }

    /// What a new capture is placed by, all but the head, and how many archives there are: one walk over the scene.
    func surroundings(
        of new: NewArchive, in scene: SceneState
    ) throws(StoreError) -> (CaptureOrder.Surroundings, count: Int) {
        let select = try statement(.surroundings)
        select.bind(scene.id, at: 1)
        select.bind(new.restoredFrom?.rawValue, at: 2)
        select.bind(new.device, at: 3)
        select.bind(new.sequence, at: 4)
        guard try select.step() else { throw .corrupt("A scene cannot be counted.") }
        func time(_ column: Int32) -> Timestamp? { select.isNull(column) ? nil : select.time(column) }
        let surroundings = CaptureOrder.Surroundings(
            restoredFrom: time(1), ownEarlier: time(2), ownLater: time(3), forgotten: scene.forgotten)
        return (surroundings, Int(select.integer(0)))
    }

    /// All outcomes of an archive, oldest first.
    func outcomes(of archive: ArchiveID, content: Int64) throws(StoreError) -> [Outcome] {
        let select = try statement(.outcomes)
        select.bind(content, at: 1)
        var outcomes: [Outcome] = []
        while try select.step() {
            guard let result = Outcome.Result(rawValue: select.text(1)) else { throw .corrupt("A result is unknown.") }
            outcomes.append(
                Outcome(
                    archive: archive, device: try select.id(0), result: result, context: try select.context(2),
                    reportedAt: select.time(7)))
        }
        return outcomes
    }
}

extension Statement {
    func storedArchive(in scene: Int64, of key: SceneKey) throws(StoreError) -> StoredArchive {
        StoredArchive(
            archive: try archive(in: key), scene: scene, content: integer(Query.archiveColumnCount))
    }
}

extension Query {
    fileprivate static let stateOfScene = Query(
        """
        SELECT scene.id, user.id, forgotten_at, forgotten_revision FROM user JOIN scene ON scene.user = user.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND scene.name = ?3
        """)
    fileprivate static let archive = Query(
        "SELECT \(archiveColumns), content FROM archive WHERE scene = ?1 AND uuid = ?2")
    fileprivate static let archivesOfScene = Query(
        """
        SELECT \(archiveColumns), content FROM archive WHERE scene = ?1 ORDER BY captured_at DESC, revision DESC
        """)
    fileprivate static let tombstone = Query("SELECT 1 FROM tombstone WHERE scene = ?1 AND uuid = ?2")
    fileprivate static let headOfScene = Query(
        """
        SELECT revision, captured_at FROM archive WHERE scene = ?1 ORDER BY captured_at DESC, revision DESC LIMIT 1
        """)
    fileprivate static let surroundings = Query(
        """
        SELECT count(*), max(captured_at) FILTER (WHERE revision = ?2),
            max(captured_at) FILTER (WHERE device = ?3 AND sequence < ?4),
            min(captured_at) FILTER (WHERE device = ?3 AND sequence > ?4)
        FROM archive WHERE scene = ?1
        """)
    fileprivate static let outcomes = Query(
        """
        SELECT device, result, idiom, layout, bundle_version, system_version, state_version, reported_at
        FROM outcome WHERE content = ?1 ORDER BY number
        """)
}
