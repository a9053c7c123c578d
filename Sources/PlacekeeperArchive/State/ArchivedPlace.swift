/// An archive's place, and the table of model references that it refers to.
package struct ArchivedPlace: Sendable {
    /// The place. `nil` if the archive has none or is a foreign archive.
    package let place: Place?
    package let references: [ModelReference]

    /// Validates an archive as `ArchiveSummary` does, and reads its place.
    /// - Throws: The first problem, with its byte offset.
    package init(reading bytes: [UInt8], limits: BinaryPropertyList.Limits = .init()) throws(ArchiveError) {
        let reader = try KeyedArchiveReader(validating: bytes, limits: limits)
        var (references, place): ([ModelReference], Place?) = ([], nil)
        try reader.withView { (view) throws(ArchiveError) in
            _ = try ArchiveSummary(view, byteCount: bytes.count, &references, &place)
        }
        self.references = references
        self.place = place
    }
}
