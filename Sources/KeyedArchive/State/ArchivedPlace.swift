/// An archive's place, with the table of model references that the place refers to.
package struct ArchivedPlace: Sendable {
    /// Nil if the archive has no place, or if it is a foreign archive.
    package let place: Place?
    package let references: [ModelReference]

    /// Validates an archive as `ArchiveSummary` does, and reads its place.
    /// - Throws: The first problem, with its byte offset.
    package init(reading bytes: [UInt8], limits: BinaryPropertyList.Limits = .init()) throws(ArchiveError) {
        let reader = try KeyedArchiveReader(validating: bytes, limits: limits)
        let isOurs = try ArchiveSummary(reader).formatVersion != nil
        (place, references) = try reader.withView { (view) throws(ArchiveError) in
            guard isOurs else { return (nil, []) }
            var tables = try TableReader(view, byteCount: bytes.count)
            let references = try tables.references()
            return (try tables.place(), references)
        }
    }
}
