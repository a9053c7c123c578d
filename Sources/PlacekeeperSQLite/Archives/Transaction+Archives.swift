import PlacekeeperCore
import PlacekeeperService

/// The keys of an archive's rows, its size, and whether it has a screenshot, outcomes and servings.
struct ArchiveRow {
    var scene: Int64
    var position: Archive.Position
    var content: Int64
    var bytes: Int
    var hasScreenshot: Bool
    var hasOutcomes: Bool
    /// Whether a device may have been served the archive.
    var hasServings = true
}

extension Transaction {
    /// Writes the bytes of a new archive, and returns their row id in `content`.
    ///
    /// - Parameter replaced: a removed archive whose row in `content` is reused.
    func write(_ content: Content, replacing replaced: ArchiveRow? = nil) throws(StoreError) -> Int64 {
        let write = try connection.statement(
            replaced == nil ? .insertContent : .replaceContent, content.encoding.rawValue)
        if let replaced { write.bind(replaced.content, at: 3) }
        try write.run(binding: content.bytes, at: 2)
        return replaced?.content ?? connection.lastInsertedRow
    }

    func insert(_ archive: Archive, at row: ArchiveRow) throws(StoreError) {
        try connection.run(
            .insertArchive, row.scene, archive.capturedAt, archive.revision, archive.id, row.content, archive.device,
            archive.receivedAt, archive.sequence ?? -1, archive.context, archive.digest, archive.size,
            Netstrings.join(archive.summary.place), archive.summary.objectCount, archive.summary.referenceCount,
            archive.writtenAt, archive.orderRevision, archive.isViewOnly ? 1 : 0)
    }

    /// Deletes only the archive's own row.
    func deleteRow(of row: ArchiveRow) throws(StoreError) {
        try connection.run(.deleteArchive, row.scene, row.position.capturedAt, row.position.revision)
    }

    /// Deletes an archive's screenshot, its outcomes and the records of the devices that it was served to.
    func removeParts(of row: ArchiveRow) throws(StoreError) {
        if row.hasServings {
            try run(.deleteServed, for: row.content)
            try run(.deleteServedLast, for: row.content)
        }
        if row.hasScreenshot { try run(.deleteScreenshot, for: row.content) }
        if row.hasOutcomes { try run(.deleteOutcomes, for: row.content) }
    }

    func removeContent(of row: ArchiveRow) throws(StoreError) { try run(.deleteContent, for: row.content) }

    private func run(_ query: Query, for content: Int64) throws(StoreError) {
        try connection.run(query, content)
    }

    /// Inserts the tombstone of a deleted archive.
    func tombstone(_ id: ArchiveID, in scene: Int64, at time: Timestamp) throws(StoreError) {
        try connection.run(.insertTombstone, scene, id, time)
    }

    func insert(_ screenshot: Screenshot, content: Int64) throws(StoreError) {
        let insert = try connection.statement(.insertScreenshot, content, screenshot.format.rawValue)
        try insert.run(binding: screenshot.bytes, at: 3)
    }

    /// Appends an outcome to an archive.
    func insert(_ outcome: Outcome, content: Int64) throws(StoreError) {
        try connection.run(
            .insertOutcome, content, outcome.device, outcome.result.rawValue, outcome.context, outcome.reportedAt,
            outcome.launch?.text, outcome.details.path, outcome.details.step.map(Int64.init),
            outcome.details.duration.map(\.wholeMilliseconds))
    }

    /// Runs a statement that sets a flag of an archive.
    func mark(_ row: ArchiveRow, by query: Query) throws(StoreError) {
        try connection.run(query, row.scene, row.position.capturedAt, row.position.revision)
    }
}

extension Connection {
    /// Records that an archive has outcomes, and whether it may still be served to the device that made it.
    func markOutcomes(of row: ArchiveRow, isServable: Bool) throws(StoreError) {
        try run(.markOutcomes, row.scene, row.position.capturedAt, row.position.revision, isServable ? 1 : 0)
    }
}

extension Query {
    fileprivate static let insertContent = Query("INSERT INTO content (encoding, bytes) VALUES (?1, ?2)")
    fileprivate static let replaceContent = Query("UPDATE content SET encoding = ?1, bytes = ?2 WHERE id = ?3")
    fileprivate static let insertArchive = Query(
        """
        INSERT INTO archive (
            scene, captured_at, revision, uuid, content, device, received_at, sequence, idiom, layout, bundle_version,
            system_version, state_version, digest, size, place, object_count, reference_count,
            written_at, order_revision, is_view_only)
        VALUES (
            ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
        """)
    fileprivate static let deleteArchive = Query(
        "DELETE FROM archive WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3")
    fileprivate static let deleteContent = Query("DELETE FROM content WHERE id = ?1")
    fileprivate static let deleteServed = Query("DELETE FROM served WHERE content = ?1")
    fileprivate static let deleteServedLast = Query("DELETE FROM served_last WHERE content = ?1")
    fileprivate static let deleteScreenshot = Query("DELETE FROM screenshot WHERE content = ?1")
    fileprivate static let deleteOutcomes = Query("DELETE FROM outcome WHERE content = ?1")
    fileprivate static let insertTombstone = Query("INSERT OR REPLACE INTO tombstone VALUES (?1, ?2, ?3)")
    fileprivate static let insertScreenshot = Query("INSERT OR REPLACE INTO screenshot VALUES (?1, ?2, ?3)")
    static let markScreenshot = Query(
        "UPDATE archive SET has_screenshot = 1 WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3")
    fileprivate static let insertOutcome = Query(
        """
        INSERT INTO outcome
        SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13
        FROM outcome WHERE content = ?1
        """)
    fileprivate static let markOutcomes = Query(
        """
        UPDATE archive SET has_outcomes = 1, is_servable = ?4
        WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3 AND (has_outcomes, is_servable) <> (1, ?4)
        """)
}
