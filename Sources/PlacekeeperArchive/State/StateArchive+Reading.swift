extension StateArchive {
    /// Validates an archive as `ArchiveSummary` does, and reads all of it.
    /// - Throws: The first problem, with its byte offset. `ArchiveError.Code.foreign` for a keyed archive that is not
    ///   in Placekeeper's format.
    public init(reading bytes: [UInt8], limits: BinaryPropertyList.Limits = .init()) throws(ArchiveError) {
        try self.init(KeyedArchiveReader(validating: bytes, limits: limits), keys: KeyBudget())
    }

    init(_ reader: KeyedArchiveReader, keys: KeyBudget) throws(ArchiveError) {
        let summary = try ArchiveSummary(reader)
        self = try reader.withView { (view) throws(ArchiveError) in
            guard summary.formatVersion != nil else {
                throw ArchiveError(.foreign, at: view.list.offset(of: view.list.geometry.top))
            }
            var tables = try TableReader(view, byteCount: reader.propertyList.bytes.count, keys: keys)
            var archive = StateArchive(
                bundleVersion: summary.bundleVersion, idiom: summary.idiom, timestamp: summary.timestamp,
                systemVersion: summary.systemVersion, stateVersion: summary.stateVersion, layout: summary.layout)
            archive.isPlaceOnly = try view.isPlaceOnly()
            try tables.readAll(into: &archive)
            return archive
        }
    }
}

extension TableReader {
    fileprivate mutating func readAll(into archive: inout StateArchive) throws(ArchiveError) {
        if let application = view.top(ArchiveKey.application) {
            archive.application = try state(application)
        }
        var paths: Set<String> = []
        archive.objects = try table(ArchiveKey.objects, .objectTable) { (reader, record) throws(ArchiveError) in
            let object = try reader.restorableObject(record)
            guard reader.keys.allows(object.path) else { throw reader.error(.expansion, record.object) }
            guard paths.insert(object.path).inserted else { throw reader.error(.objectTable, record.object) }
            return object
        }
        archive.instances = try table(ArchiveKey.instances, .state) { (reader, record) throws(ArchiveError) in
            SavedInstance(
                className: try reader.text(ArchiveKey.className, of: record), state: try reader.state(of: record))
        }
        archive.references = try references()
        archive.place = try place()
    }

    private mutating func restorableObject(_ record: Record) throws(ArchiveError) -> RestorableObject {
        RestorableObject(
            path: try text(ArchiveKey.path, of: record),
            kind: .init(rawValue: try text(ArchiveKey.kind, of: record)),
            className: try text(ArchiveKey.className, of: record),
            restorationClass: try optionalText(ArchiveKey.restorationClass, of: record),
            storyboard: try optionalText(ArchiveKey.storyboard, of: record),
            storyboardIdentifier: try optionalText(ArchiveKey.storyboardIdentifier, of: record),
            isRegistered: try flag(ArchiveKey.isRegistered, of: record),
            state: try state(of: record))
    }
}

extension KeyedView {
    /// Whether the state was left out. Throws `reservedKey` if the value is not a Boolean.
    fileprivate func isPlaceOnly() throws(ArchiveError) -> Bool {
        guard let object = top(ArchiveKey.isPlaceOnly) else { return false }
        guard case .boolean(let flag) = list.content(object) else {
            throw ArchiveError(.reservedKey, at: list.offset(of: object))
        }
        return flag
    }
}
