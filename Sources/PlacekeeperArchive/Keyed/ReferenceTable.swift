/// An archive's table of model references. The service replaces this table and changes nothing else in the archive.
public struct ReferenceTable: Sendable {
    /// The references. State and place refer to them by index.
    public let references: [ModelReference]
    private let reader: KeyedArchiveReader

    /// Validates an archive as `ArchiveSummary` does, and reads its table. Empty for a foreign archive.
    /// - Throws: The first problem, with its byte offset.
    public init(reading bytes: [UInt8], limits: BinaryPropertyList.Limits = .init()) throws(ArchiveError) {
        reader = try KeyedArchiveReader(validating: bytes, limits: limits)
        var (references, place): ([ModelReference], Place?) = ([], nil)
        try reader.withView { (view) throws(ArchiveError) in
            _ = try ArchiveSummary(view, byteCount: bytes.count, &references, &place)
        }
        self.references = references
    }

    /// Returns the archive's bytes with `references` as the table. New objects are appended, and existing ones are
    /// never changed, because state may share any of them. If the references are equal to the current ones, returns the
    /// original bytes.
    /// - Precondition: `references` has the same count as the table, and each reference has at most eight neighbors on
    ///   a side.
    public func rewriting(_ references: [ModelReference]) -> [UInt8] {
        // The service replaces each of the table's references with its resolved form.
        precondition(references.count == self.references.count, "The number of references must not change")
        guard references != self.references else { return reader.propertyList.bytes }
        return reader.withView { view in
            var writer = StateArchiveWriter(
                StateArchive(), continuing: KeyedArchiveBuilder(continuing: view, freeing: ArchiveKey.references))
            let elements = view.top(ArchiveKey.references).flatMap(view.array)
            var table: [KeyedArchiveBuilder.UID] = []
            var nameless: [ModelReference: KeyedArchiveBuilder.UID] = [:]
            for (index, reference) in references.enumerated() {
                let known = elements.flatMap { view.uid(view.list.element(index, of: $0)) }
                if let known, reference == self.references[index] {
                    table.append(KeyedArchiveBuilder.UID(rawValue: known))
                    continue
                }
                if reference.isNameless, let same = nameless[reference] {
                    table.append(same)
                    continue
                }
                do throws(ArchiveWritingError) {
                    let added = try writer.add(reference)
                    table.append(added)
                    if reference.isNameless { nameless[reference] = added }
                } catch {
                    // Too many neighbors is the only possible error. Their number was checked when the table was read,
                    // and the service never adds one.
                    preconditionFailure("A reference has more than eight neighbors on a side")
                }
            }
            writer.builder.setTop(writer.builder.addArray(table), forKey: ArchiveKey.references.string)
            return writer.builder.finish()
        }
    }
}

extension ModelReference {
    /// Whether the reference has no identifier, no aliases, no neighbors and no index path.
    fileprivate var isNameless: Bool {
        element == Element(nil) && before.isEmpty && after.isEmpty && indexPath == nil
    }
}

extension TableReader {
    /// Reads the table of model references.
    mutating func references() throws(ArchiveError) -> [ModelReference] {
        try table(ArchiveKey.references, .referenceTable) { (reader, record) throws(ArchiveError) in
            try reader.modelReference(record)
        }
    }

    private mutating func modelReference(_ record: Record) throws(ArchiveError) -> ModelReference {
        ModelReference(
            dataSource: try name(ArchiveKey.dataSource, of: record),
            element: try modelElement(record),
            role: .init(rawValue: try name(ArchiveKey.role, of: record)),
            indexPath: try optionalIntegers(ArchiveKey.indexPath, of: record),
            before: try neighbors(ArchiveKey.before, of: record),
            after: try neighbors(ArchiveKey.after, of: record),
            resolution: try resolution(record))
    }

    private mutating func resolution(_ record: Record) throws(ArchiveError) -> ModelReference.Resolution? {
        guard let object = try textObject(ArchiveKey.resolutionStep, of: record) else { return nil }
        let step = try name(object)
        guard let object = view.value(for: ArchiveKey.confidence, in: record.entries),
            let confidence = view.real(object), (0...1).contains(confidence)
        else { throw error(record.code, record.object) }
        var resolution = ModelReference.Resolution(
            step: ModelReference.Step(written: step), confidence: confidence,
            isAmbiguous: try flag(ArchiveKey.isAmbiguous, of: record))
        for key in [ArchiveKey.neighbor, ArchiveKey.oldNeighbor] {
            if let object = try textObject(key, of: record) { resolution.neighbor = try name(object) }
        }
        return resolution
    }
}

extension ModelReference.Step {
    /// Reads a step from an archive. Two steps had other names in archives served by 0.1.0.
    fileprivate init(written name: String) {
        self =
            switch name {
            case "company": .alignment
            case "neighbour": .neighbor
            default: Self(rawValue: name)
            }
    }
}

extension KeyedView {
    /// Returns a UID's number. `nil` for any other object.
    fileprivate func uid(_ object: UInt32) -> UInt32? {
        guard case .uid(let number) = list.content(object) else { return nil }
        return UInt32(exactly: number)
    }

    /// Returns the value of a floating-point number or integer. `nil` for any other object.
    func real(_ object: UInt32) -> Double? {
        switch list.content(object) {
        case .real(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }
}
