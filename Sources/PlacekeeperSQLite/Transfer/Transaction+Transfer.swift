import PlacekeeperCore
import PlacekeeperService

// Values that exist only in SQLite.
extension Transaction {
    func derive() throws(StoreError) {
        try connection.run(.setLastRegistry)
        // Pruning drops an empty scene once all changes up to `last_removal` are dropped.
        try connection.run(.noteEmptyScenes)
        try judge(.archivesToJudge, by: .markUnservable)
        try judge(.deletedArchivesToJudge, by: .markDeletedUnservable)
        try connection.run(.indexAllHeads)
    }

    /// Marks archives that must not be served to the devices that made them, because of their outcomes.
    private func judge(_ query: Query, by update: Query) throws(StoreError) {
        var refused: [(scene: Int64, id: ArchiveID)] = []
        do {
            let select = try connection.statement(query)
            // `RestoreEligibility` needs only the archive's device and context, so any scene will do.
            let nowhere = SceneKey(owner: Self.nobody, name: "")
            while try select.step() {
                let stored = try select.storedArchive(in: nowhere)
                let outcomes = try connection.outcomes(of: stored.archive.id, content: stored.row.content)
                if !RestoreEligibility.isServable(stored.archive, after: outcomes) {
                    refused.append((stored.row.scene, stored.archive.id))
                }
            }
        }
        for (scene, id) in refused {
            try connection.run(update, scene, id)
        }
    }
}

extension Query {
    /// The queries that read whole tables at the end of a transfer.
    static let derivations = [indexAllHeads, noteEmptyScenes, archivesToJudge, deletedArchivesToJudge]

    fileprivate static let indexAllHeads = Query("\(Schema.indexHeads) \(Schema.ofEachHead)")
    fileprivate static let setLastRegistry = Query(
        "UPDATE store SET last_registry = coalesce((SELECT max(id) FROM registry), 0)")
    fileprivate static let noteEmptyScenes = Query(
        """
        UPDATE scene SET last_removal = (SELECT coalesce(max(id), 0) FROM change), removed_at = coalesce(forgotten_at, 0)
        WHERE last_removal IS NULL AND NOT EXISTS (SELECT 1 FROM archive WHERE archive.scene = scene.id)
        """)
    private static let columns = "SELECT \(archiveColumns), \(rowColumns) FROM"
    fileprivate static let archivesToJudge = Query("\(columns) archive WHERE has_outcomes")
    fileprivate static let deletedArchivesToJudge = Query("\(columns) deleted_archive AS archive WHERE has_outcomes")
    fileprivate static let markUnservable = Query("UPDATE archive SET is_servable = 0 WHERE scene = ?1 AND uuid = ?2")
    fileprivate static let markDeletedUnservable = Query(
        "UPDATE deleted_archive SET is_servable = 0 WHERE scene = ?1 AND uuid = ?2")
}
