import PlacekeeperCore
import PlacekeeperService

/// An archive and its row.
struct StoredArchive {
    var archive: Archive
    var row: ArchiveRow
}

// Queries for both transactions and readers.
extension Connection {
    /// Returns the row id of a scene, or `nil` if the scene has no row.
    func row(of key: SceneKey) throws(StoreError) -> Int64? {
        let select = try statement(.rowOfScene, key)
        return try select.step() ? select.key(0) : nil
    }

    func archive(_ id: ArchiveID, in key: SceneKey) throws(StoreError) -> StoredArchive? {
        let select = try statement(.archive, key, id)
        return try select.step() ? try select.storedArchive(in: key) : nil
    }

    /// Returns when an archive was deleted, or `nil` if it wasn't.
    func timeOfDeletion(of id: ArchiveID, in scene: Int64) throws(StoreError) -> Timestamp? {
        let select = try statement(.tombstone, scene, id)
        return try select.step() ? select.time(0) : nil
    }

    /// Returns all outcomes of an archive, oldest first.
    func outcomes(of archive: ArchiveID, content: Int64) throws(StoreError) -> [Outcome] {
        let select = try statement(.outcomes, content)
        var outcomes: [Outcome] = []
        while try select.step() {
            guard let result = Outcome.Result(rawValue: select.text(1)) else {
                throw .corrupt("An outcome has an unknown result.")
            }
            outcomes.append(
                Outcome(
                    archive: archive, device: try select.id(0), result: result, context: try select.context(2),
                    launch: try select.launch(8),
                    details: Outcome.Details(
                        path: select.optionalText(9), step: try select.optionalNumber(10, .step).map { Int($0) },
                        duration: try select.optionalNumber(11, .duration).map { .milliseconds($0) }),
                    reportedAt: try select.time(7)))
        }
        return outcomes
    }
}

extension Statement {
    fileprivate func launch(_ column: Int32) throws(StoreError) -> LaunchID? {
        guard let text = optionalText(column) else { return nil }
        guard let launch = LaunchID(text) else { throw .corrupt("An outcome has an invalid launch id.") }
        return launch
    }

    /// Reads the columns `archiveColumns` and `rowColumns`.
    func storedArchive(in key: SceneKey) throws(StoreError) -> StoredArchive {
        let archive = try archive(in: key)
        let row = ArchiveRow(
            scene: try self.key(Query.archiveColumnCount), position: archive.position,
            content: try self.key(Query.archiveColumnCount + 1),
            bytes: archive.size + (try count(Query.archiveColumnCount + 2)), hasScreenshot: archive.hasScreenshot,
            hasOutcomes: archive.hasOutcomes)
        return StoredArchive(archive: archive, row: row)
    }
}

extension Query {
    fileprivate static let rowOfScene = Query(
        """
        SELECT scene.id FROM user CROSS JOIN scene ON scene.user = user.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND scene.name = ?3
        """)
    fileprivate static let archive = Query(
        """
        SELECT \(archiveColumns), \(rowColumns)
        FROM user CROSS JOIN scene ON scene.user = user.id CROSS JOIN archive ON archive.scene = scene.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND scene.name = ?3 AND archive.uuid = ?4
        """)
    fileprivate static let tombstone = Query("SELECT deleted_at FROM tombstone WHERE scene = ?1 AND uuid = ?2")
    fileprivate static let outcomes = Query(
        """
        SELECT device, result, idiom, layout, bundle_version, system_version, state_version, reported_at,
            launch, path, step, duration
        FROM outcome WHERE content = ?1 ORDER BY number
        """)
}
