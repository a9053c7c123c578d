import PlacekeeperCore
import PlacekeeperService

// Archives whose deletion can still be undone (docs/decisions/0078-a-deletion-can-be-undone.md). They don't count
// toward usage, and uploads and retention ignore them.
extension Transaction {
    /// Roughly how many bytes of archives and screenshots one step deletes for good.
    private static let deletionBytes = 2 << 20

    /// Copies an archive's row to the deleted archives.
    func copyToDeleted(_ row: ArchiveRow, at time: Timestamp) throws(StoreError) {
        try connection.run(.copyToDeleted, row.scene, row.position.capturedAt, row.position.revision, time)
    }

    func bringBack(_ id: ArchiveID, to scene: Int64) throws(StoreError) {
        for query in [Query.copyFromDeleted, .dropDeletion] {
            try connection.run(query, scene, id)
        }
    }

    func endDeletion(of row: ArchiveRow, _ id: ArchiveID) throws(StoreError) { try end([(row, id.bytes)]) }

    /// Makes a user's deletions final: all of them, or only those of one device's archives.
    func endDeletions(of user: Int64, maker: DeviceID?) throws(StoreError) {
        try endDeletions(maker == nil ? .allDeletionsOfUser : .deletionsOfDevice, user, of: maker)
    }

    /// Makes deletions final, and returns whether there were any.
    ///
    /// - Parameters:
    ///   - query: selects the deletions (`Query.deletionColumns`) by `bound`, and by `device` if it isn't `nil`.
    ///   - inSteps: whether to process only a part, so other writes don't wait long.
    @discardableResult
    func endDeletions(
        _ query: Query, _ bound: Int64, of device: DeviceID? = nil, inSteps: Bool = false
    ) throws(StoreError) -> Bool {
        var deletions: [(row: ArchiveRow, uuid: [UInt8])] = []
        do {
            let select = try connection.statement(query, bound)
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
            try connection.run(.eraseDeletion, row.scene, uuid)
            try removeParts(of: row)
            try removeContent(of: row)
        }
    }
}

extension ID {
    /// The bytes in the stored order.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) } }
}

extension Query {
    private static let columns = """
        scene, captured_at, revision, uuid, content, device, written_at, received_at, sequence, idiom, layout,
        bundle_version, system_version, state_version, digest, size, place, object_count, reference_count,
        has_screenshot, has_outcomes, is_servable, order_revision, is_view_only
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
    /// Like `dropDeletion`, but also deletes a damaged row whose id isn't a BLOB.
    fileprivate static let eraseDeletion = Query(
        "DELETE FROM deleted_archive WHERE scene = ?1 AND coalesce(CAST(uuid AS BLOB), x'') = ?2")
    private static let deletionColumns = """
        SELECT archive.scene, archive.captured_at, archive.revision, archive.content, archive.has_screenshot,
            archive.has_outcomes, archive.size + \(screenshotBytes), archive.uuid, archive.device, archive.deleted_at
        """
    private static let deletions = deletionColumns + " FROM deleted_archive AS archive "
    private static let deletionsByUser =
        deletionColumns + """
             FROM scene CROSS JOIN deleted_archive AS archive ON archive.scene = scene.id WHERE scene.user = ?1
            """
    static let deletionsOfUser = Query(deletionsByUser + " LIMIT \(Transaction.erasureStep / 4)")
    /// All deletions of a user, for when the user's last device moves to another user.
    static let allDeletionsOfUser = Query(deletionsByUser)
    static let deletionsOfDevice = Query(deletionsByUser + " AND archive.device = ?2")
    static let oldDeletions = Query(
        deletions + "WHERE deleted_at < ?1 ORDER BY deleted_at LIMIT \(Transaction.erasureStep / 4)")
}
