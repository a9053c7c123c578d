import PlacekeeperCore
import PlacekeeperService

extension Query {
    /// The columns that `Statement.archive(in:)` reads, in the same order.
    static let archiveColumns = """
        archive.revision, archive.captured_at, archive.uuid, archive.device, archive.received_at, archive.sequence,
        archive.idiom, archive.layout, archive.bundle_version, archive.system_version, archive.state_version,
        archive.digest, archive.size, archive.place, archive.object_count, archive.reference_count,
        archive.has_screenshot, archive.has_outcomes, archive.written_at, archive.order_revision, archive.is_view_only
        """
    /// The columns that determine the order of a scene's archives.
    static let orderColumns = "archive.captured_at, archive.order_revision, archive.sequence, archive.revision"
    static let newestFirst = """
        archive.captured_at DESC, archive.order_revision DESC, archive.sequence DESC, archive.revision DESC
        """
    /// The number of columns in `archiveColumns`, which is also the index of the first column after them.
    static let archiveColumnCount: Int32 = 21
    /// The size of an archive's screenshot in bytes. SQLite gets the length without reading the bytes.
    static let screenshotBytes = """
        iif(archive.has_screenshot, (SELECT length(bytes) FROM screenshot WHERE screenshot.content = archive.content), 0)
        """
    /// The columns that `Statement.storedArchive(in:)` reads after `archiveColumns`.
    static let rowColumns = "archive.scene, archive.content, \(screenshotBytes)"
}

extension Statement {
    func archive(in scene: SceneKey) throws(StoreError) -> Archive {
        Archive(
            id: try id(2), scene: scene, device: try id(3), revision: try revision(0), capturedAt: try time(1),
            writtenAt: try time(18), receivedAt: try time(4), sequence: try sequence(5), context: try context(6),
            digest: try digest(11), size: Int(try number(12, .size)),
            summary: Archive.Summary(
                place: try withBytes(13, Netstrings.split), objectCount: try count(14),
                referenceCount: try count(15)),
            hasScreenshot: try flag(16), hasOutcomes: try flag(17), orderRevision: try revision(19),
            isViewOnly: try flag(20))
    }

    /// Reads the columns `Query.orderColumns`.
    func position(at column: Int32) throws(StoreError) -> Archive.Position {
        Archive.Position(
            capturedAt: try time(column), orderRevision: try revision(column + 1), sequence: try sequence(column + 2),
            revision: try revision(column + 3))
    }

    /// Reads a capture's sequence, which is stored as -1 if it is missing.
    private func sequence(_ column: Int32) throws(StoreError) -> Int64? {
        try optionalNumber(column, .sequence).flatMap { $0 < 0 ? nil : $0 }
    }

    /// Reads five columns: idiom, layout, bundle version, system version and state version.
    func context(_ column: Int32) throws(StoreError) -> Context {
        var context = Context(idiom: try idiom(column))
        context.layout = try optionalNumber(column + 1, .layout).flatMap { Layout(rawValue: UInt8($0)) }
        context.bundleVersion = optionalText(column + 2)
        context.systemVersion = optionalText(column + 3)
        context.stateVersion = try optionalKey(column + 4)
        return context
    }

    func idiom(_ column: Int32) throws(StoreError) -> Idiom {
        guard let idiom = Idiom(rawValue: Int(try number(column, .idiom))) else { throw .unknown("idiom") }
        return idiom
    }
}
