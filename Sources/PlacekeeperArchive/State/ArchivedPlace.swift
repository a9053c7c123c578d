/// An archive's place, the table of model references that it refers to, and the archive's context.
package struct ArchivedPlace: Sendable {
    /// The archive's context.
    package let summary: ArchiveSummary
    /// The place. `nil` if the archive has none or is a foreign archive.
    package let place: Place?
    package let references: [ModelReference]
    /// Whether the archive also has state: of the app, of restorable objects or of instances.
    package let hasState: Bool

    /// Validates an archive as `ArchiveSummary` does, and reads its place.
    /// - Throws: The first problem, with its byte offset.
    package init(reading bytes: [UInt8], limits: BinaryPropertyList.Limits = .init()) throws(ArchiveError) {
        let reader = try KeyedArchiveReader(validating: bytes, limits: limits)
        var (references, place): ([ModelReference], Place?) = ([], nil)
        (summary, hasState) = try reader.withView { (view) throws(ArchiveError) in
            let summary = try ArchiveSummary(view, byteCount: bytes.count, &references, &place)
            // The table of objects may be empty.
            let keys = [ArchiveKey.application, ArchiveKey.instances]
            return (summary, summary.objectCount > 0 || keys.contains { view.top($0) != nil })
        }
        self.references = references
        self.place = place
    }
}
