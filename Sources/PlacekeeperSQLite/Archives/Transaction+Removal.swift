import PlacekeeperService

extension Transaction {
    /// Removes an archive with its snapshot, its outcomes and the records of its servings, and changes the user's usage
    /// (`count`). If `withContent` is false, the archive's bytes stay, so that the bytes of a new archive can replace
    /// them.
    func remove(_ row: ArchiveRow, of user: inout UserRow, withContent: Bool = true) throws(StoreError) {
        try takeOut(row, of: &user)
        try removeParts(of: row)
        if withContent { try removeContent(of: row) }
    }

    /// Removes only the row of an archive, and changes the user's usage (`count`).
    func takeOut(_ row: ArchiveRow, of user: inout UserRow) throws(StoreError) {
        try count(Usage(bytes: -row.bytes, archives: -1), of: &user)
        let delete = try connection.statement(.deleteArchive)
        delete.bind(row.scene, at: 1)
        delete.bind(row.position.capturedAt, at: 2)
        delete.bind(row.position.revision, at: 3)
        try delete.run()
    }

    /// Removes the snapshot, the outcomes and the records of the servings of an archive.
    func removeParts(of row: ArchiveRow) throws(StoreError) {
        try run(.deleteServed, for: row.content)
        try run(.deleteServedLast, for: row.content)
        if row.hasSnapshot { try run(.deleteSnapshot, for: row.content) }
        if row.hasOutcomes { try run(.deleteOutcomes, for: row.content) }
    }

    func removeContent(of row: ArchiveRow) throws(StoreError) {
        try freePlace(of: row)
        try run(.deleteContent, for: row.content)
    }

    /// Frees the place of an archive's bytes, if they are in a segment.
    func freePlace(of row: ArchiveRow) throws(StoreError) {
        // The bytes of a smaller archive are in the database.
        guard row.bytes >= SegmentPlace.minimum else { return }
        try segments.free(row.content, in: connection)
    }

    private func run(_ query: Query, for content: Int64) throws(StoreError) {
        let delete = try connection.statement(query)
        delete.bind(content, at: 1)
        try delete.run()
    }

    /// Inserts the tombstone of a deleted archive.
    func tombstone(_ id: ArchiveID, in scene: Int64, at time: Timestamp) throws(StoreError) {
        let insert = try connection.statement(.insertTombstone)
        insert.bind(scene, at: 1)
        insert.bind(id, at: 2)
        insert.bind(time, at: 3)
        try insert.run()
    }
}

extension Query {
    fileprivate static let deleteArchive = Query(
        "DELETE FROM archive WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3")
    fileprivate static let deleteContent = Query("DELETE FROM content WHERE id = ?1")
    fileprivate static let deleteServed = Query("DELETE FROM served WHERE content = ?1")
    fileprivate static let deleteServedLast = Query("DELETE FROM served_last WHERE content = ?1")
    fileprivate static let deleteSnapshot = Query("DELETE FROM snapshot WHERE content = ?1")
    fileprivate static let deleteOutcomes = Query("DELETE FROM outcome WHERE content = ?1")
    fileprivate static let insertTombstone = Query("INSERT OR REPLACE INTO tombstone VALUES (?1, ?2, ?3)")
}
