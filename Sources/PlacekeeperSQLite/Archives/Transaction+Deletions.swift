import PlacekeeperService

// The archives whose deletion can be undone (docs/decisions/0078-a-deletion-can-be-undone.md). They count for no usage,
// and no upload and no retention sees them.
extension Transaction {
    /// The approximate number of bytes of archives and snapshots that one step ends.
    private static let deletionBytes = 2 << 20

    /// Takes an archive out of its scene's history, and keeps it with all that belongs to it.
    func setAside(_ row: ArchiveRow, of user: inout UserRow, at time: Timestamp) throws(StoreError) {
        do {
            let copy = try connection.statement(.copyToDeleted)
            copy.bind(row.scene, at: 1)
            copy.bind(row.position.capturedAt, at: 2)
            copy.bind(row.position.revision, at: 3)
            copy.bind(time, at: 4)
            try copy.run()
        }
        try takeOut(row, of: &user)
        try endDeletions(.surplusDeletionsOfScene, row.scene)
    }

    /// Restores a deleted archive, unless a check of `Undeletion` refuses it.
    func undelete(
        _ id: ArchiveID, in scene: SceneKey, at time: Timestamp, _ quotas: App.Settings.Quotas
    ) throws(StoreError) -> Undeletion {
        guard var user = try connection.user(scene.owner), let row = try connection.row(of: scene) else {
            return .nothing
        }
        guard let deleted = try connection.deletion(of: id, in: row), Retention.isUndoable(deleted.at, at: time) else {
            return try connection.wasForgotten(row, afterDeletionOf: id) ? .forgotten : .nothing
        }
        let usage = Usage(bytes: deleted.row.bytes, archives: 1)
        if let excess = quotas.excess(adding: usage, to: try quotaFacts(of: user, in: scene.owner.app)) {
            return .quotaExceeded(excess)
        }
        if try connection.head(of: scene) == nil, try connection.countOfScenesWithArchives(of: user) >= Limits.scenes {
            return .tooManyScenes
        }
        try keepingScenes(except: scene.owner) { () throws(StoreError) in
            for query in [Query.copyFromDeleted, .dropDeletion, .dropTombstone] { try run(query, on: id, in: row) }
            try count(usage, of: &user)
            try log(.archiveStored, for: &user, scene: row, archive: id, device: deleted.device, at: time)
        }
        return .restored
    }

    /// Ends the deletion of an archive, if it could be undone. The tombstone stays.
    func endDeletion(of id: ArchiveID, in scene: SceneKey) throws(StoreError) {
        guard let row = try connection.row(of: scene), let deleted = try connection.deletion(of: id, in: row) else {
            return
        }
        try keepingScenes { () throws(StoreError) in try end([(deleted.row, id.bytes)]) }
    }

    /// Ends deletions, and returns whether there were any.
    ///
    /// - Parameters:
    ///   - query: selects the deletions (`Query.deletionColumns`) by one number, and by a device if it is given.
    ///   - inSteps: whether to end only a part, so that other writes need not wait long.
    @discardableResult
    func endDeletions(
        _ query: Query, _ bound: Int64, of device: DeviceID? = nil, inSteps: Bool = false
    ) throws(StoreError) -> Bool {
        var deletions: [(row: ArchiveRow, uuid: [UInt8])] = []
        do {
            let select = try connection.statement(query)
            select.bind(bound, at: 1)
            if let device { select.bind(device, at: 2) }
            var room = inSteps ? Self.deletionBytes : .max
            while room > 0, try select.step() {
                let row = select.archiveToErase()
                deletions.append((row, select.bytes(7)))
                room -= row.bytes
            }
        }
        try end(deletions)
        return !deletions.isEmpty
    }

    private func end(_ deletions: [(row: ArchiveRow, uuid: [UInt8])]) throws(StoreError) {
        for (row, uuid) in deletions {
            let erase = try connection.statement(.eraseDeletion)
            erase.bind(row.scene, at: 1)
            erase.bind(uuid, at: 2)
            try erase.run()
            try removeParts(of: row)
            try removeContent(of: row)
        }
    }

    private func run(_ query: Query, on id: ArchiveID, in scene: Int64) throws(StoreError) {
        let write = try connection.statement(query)
        write.bind(scene, at: 1)
        write.bind(id, at: 2)
        try write.run()
    }
}

/// A row of the table `deleted_archive`.
private struct Deletion {
    var row: ArchiveRow
    var device: DeviceID
    var at: Timestamp
}

extension ID {
    /// The bytes as a column has them.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) } }
}

extension Statement {
    /// Reads the columns `Query.deletionColumns`.
    fileprivate func deletion() throws(StoreError) -> Deletion {
        let position = Archive.Position(capturedAt: try time(1), revision: try revision(2))
        return Deletion(
            row: ArchiveRow(
                scene: try key(0), position: position, content: try key(3), bytes: try count(6),
                hasSnapshot: try flag(4), hasOutcomes: try flag(5)),
            device: try id(8), at: try time(9))
    }
}

extension Connection {
    fileprivate func deletion(of id: ArchiveID, in scene: Int64) throws(StoreError) -> Deletion? {
        let select = try statement(.deletionOfArchive)
        select.bind(scene, at: 1)
        select.bind(id, at: 2)
        return try select.step() ? try select.deletion() : nil
    }

    /// Returns whether a scene was forgotten after, or by, the deletion of an archive.
    fileprivate func wasForgotten(_ scene: Int64, afterDeletionOf id: ArchiveID) throws(StoreError) -> Bool {
        let select = try statement(.forgottenDeletion)
        select.bind(scene, at: 1)
        select.bind(id, at: 2)
        return try select.step()
    }
}

extension Query {
    private static let columns = """
        scene, captured_at, revision, uuid, content, device, written_at, received_at, sequence, idiom, layout,
        bundle_version, system_version, state_version, digest, size, place, object_count, reference_count,
        has_snapshot, has_outcomes, is_servable, order_revision, is_glance
        """
    fileprivate static let copyToDeleted = Query(
        """
        INSERT INTO deleted_archive (\(columns), deleted_at) SELECT \(columns), ?4 FROM archive
        WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3
        """)
    private static let deletionKey = "WHERE scene = ?1 AND uuid = ?2"
    fileprivate static let copyFromDeleted = Query(
        "INSERT INTO archive (\(columns)) SELECT \(columns) FROM deleted_archive \(deletionKey)")
    fileprivate static let dropDeletion = Query("DELETE FROM deleted_archive \(deletionKey)")
    /// As `dropDeletion`, also if the id of a damaged row is no BLOB.
    fileprivate static let eraseDeletion = Query(
        "DELETE FROM deleted_archive WHERE scene = ?1 AND coalesce(CAST(uuid AS BLOB), x'') = ?2")
    fileprivate static let dropTombstone = Query("DELETE FROM tombstone \(deletionKey)")
    fileprivate static let forgottenDeletion = Query(
        """
        SELECT 1 FROM tombstone CROSS JOIN scene ON scene.id = tombstone.scene
        WHERE scene = ?1 AND uuid = ?2 AND forgotten_at >= deleted_at
        """)

    private static let deletionColumns = """
        SELECT archive.scene, archive.captured_at, archive.revision, archive.content, archive.has_snapshot,
            archive.has_outcomes, archive.size + \(snapshotBytes), archive.uuid, archive.device, archive.deleted_at
        """
    private static let deletions = deletionColumns + " FROM deleted_archive AS archive "
    private static let deletionsByUser =
        deletionColumns + """
             FROM scene CROSS JOIN deleted_archive AS archive ON archive.scene = scene.id WHERE scene.user = ?1
            """
    fileprivate static let deletionOfArchive = Query(deletions + deletionKey)
    static let deletionsOfScene = Query(deletions + "WHERE scene = ?1")
    fileprivate static let surplusDeletionsOfScene = Query(
        deletions + """
            WHERE scene = ?1 ORDER BY deleted_at DESC, revision DESC LIMIT -1 OFFSET \(Retention.deletedArchives)
            """)
    static let deletionsOfUser = Query(deletionsByUser + " LIMIT \(Transaction.erasureStep / 4)")
    /// All deletions of a user, for a move of the user's last device.
    static let allDeletionsOfUser = Query(deletionsByUser)
    static let deletionsOfDevice = Query(deletionsByUser + " AND archive.device = ?2")
    static let oldDeletions = Query(
        deletions + "WHERE deleted_at < ?1 ORDER BY deleted_at LIMIT \(Transaction.erasureStep / 4)")
}
