import PlacekeeperCore
import PlacekeeperService

/// The key of an archive's row, the row of the archive's content, the bytes of the archive and its snapshot, and whether
/// the archive has a snapshot and outcomes.
struct ArchiveRow {
    var scene: Int64
    var position: Archive.Position
    var content: Int64
    var bytes: Int
    var hasSnapshot: Bool
    var hasOutcomes: Bool
    /// Whether a device may have been served the archive.
    var hasServings = true
}

extension Transaction {
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

    /// Deletes only the row of an archive.
    func deleteRow(of row: ArchiveRow) throws(StoreError) {
        let delete = try connection.statement(.deleteArchive)
        delete.bind(row.scene, at: 1)
        delete.bind(row.position.capturedAt, at: 2)
        delete.bind(row.position.revision, at: 3)
        try delete.run()
    }

    /// Deletes the snapshot, the outcomes and the records of the servings of an archive.
    func removeParts(of row: ArchiveRow) throws(StoreError) {
        if row.hasServings {
            try run(.deleteServed, for: row.content)
            try run(.deleteServedLast, for: row.content)
        }
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

    func insert(_ snapshot: Snapshot, content: Int64) throws(StoreError) {
        let insert = try connection.statement(.insertSnapshot)
        insert.bind(content, at: 1)
        insert.bind(snapshot.format.rawValue, at: 2)
        try insert.run(binding: snapshot.bytes, at: 3)
    }

    /// Appends an outcome to an archive's outcomes, and then deletes the oldest of them, so that at most
    /// `Retention.outcomes` outcomes are left.
    func insert(_ outcome: Outcome, content: Int64) throws(StoreError) {
        let insert = try connection.statement(.insertOutcome)
        insert.bind(content, at: 1)
        insert.bind(outcome.device, at: 2)
        insert.bind(outcome.result.rawValue, at: 3)
        insert.bind(outcome.context, at: 4)
        insert.bind(outcome.reportedAt, at: 9)
        insert.bind(outcome.launch?.text, at: 10)
        insert.bind(outcome.details.path, at: 11)
        insert.bind(outcome.details.step.map(Int64.init), at: 12)
        insert.bind(outcome.details.duration.map(\.wholeMilliseconds), at: 13)
        try insert.run()
        let drop = try connection.statement(.dropOldOutcomes)
        drop.bind(content, at: 1)
        drop.bind(Retention.outcomes, at: 2)
        try drop.run()
    }

    /// Runs a statement that sets one flag of an archive.
    func mark(_ row: ArchiveRow, by query: Query) throws(StoreError) {
        let update = try connection.statement(query)
        update.bind(row.scene, at: 1)
        update.bind(row.position.capturedAt, at: 2)
        update.bind(row.position.revision, at: 3)
        try update.run()
    }
}

extension Connection {
    /// Notes that an archive has outcomes, and whether the archive can still be served to its own device.
    func markOutcomes(of row: ArchiveRow, isServable: Bool) throws(StoreError) {
        let update = try statement(.markOutcomes)
        update.bind(row.scene, at: 1)
        update.bind(row.position.capturedAt, at: 2)
        update.bind(row.position.revision, at: 3)
        update.bind(isServable ? 1 : 0, at: 4)
        try update.run()
    }
}

extension Query {
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
    fileprivate static let deleteArchive = Query(
        "DELETE FROM archive WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3")
    fileprivate static let deleteContent = Query("DELETE FROM content WHERE id = ?1")
    fileprivate static let deleteServed = Query("DELETE FROM served WHERE content = ?1")
    fileprivate static let deleteServedLast = Query("DELETE FROM served_last WHERE content = ?1")
    fileprivate static let deleteSnapshot = Query("DELETE FROM snapshot WHERE content = ?1")
    fileprivate static let deleteOutcomes = Query("DELETE FROM outcome WHERE content = ?1")
    fileprivate static let insertTombstone = Query("INSERT OR REPLACE INTO tombstone VALUES (?1, ?2, ?3)")
    fileprivate static let insertSnapshot = Query("INSERT OR REPLACE INTO snapshot VALUES (?1, ?2, ?3)")
    static let markSnapshot = Query(
        "UPDATE archive SET has_snapshot = 1 WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3")
    fileprivate static let insertOutcome = Query(
        """
        INSERT INTO outcome
        SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13
        FROM outcome WHERE content = ?1
        """)
    fileprivate static let dropOldOutcomes = Query(
        """
        DELETE FROM outcome WHERE content = ?1 AND number <= (SELECT max(number) FROM outcome WHERE content = ?1) - ?2
        """)
    fileprivate static let markOutcomes = Query(
        """
        UPDATE archive SET has_outcomes = 1, is_servable = ?4
        WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3 AND (has_outcomes, is_servable) <> (1, ?4)
        """)
}
