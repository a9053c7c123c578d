extension ArchiveInspection {
    /// Shows an archive of Placekeeper's own format.
    public init(_ archive: StateArchive) {
        self.init(topLevel: Self.topLevel(of: archive), sections: [])
        formatVersion = ArchiveKey.currentFormat
        place = (archive.place?.steps ?? []).enumerated().map { number, step in
            var fields: [Entry] = []
            if let title = step.title { fields.append(Entry(key: "title", value: .string(title))) }
            if !step.references.isEmpty {
                fields.append(Entry(key: "references", value: .array(step.references.map { .reference($0) })))
            }
            if !step.parameters.isEmpty {
                fields.append(Entry(key: "parameters", value: Value(.dictionary(step.parameters), archive)))
            }
            return Entry(key: "\(number + 1) \(step.screen)", value: .dictionary(fields))
        }
        references = archive.references.enumerated().map { number, reference in
            Entry(key: "\(number) \(reference.dataSource)", value: Value(reference))
        }
        sections = archive.objects.map { object in
            Section(
                kind: Self.heading(of: object.kind), name: object.path, className: object.className,
                restorationClass: object.restorationClass, storyboard: object.storyboard,
                storyboardIdentifier: object.storyboardIdentifier,
                isRegistered: object.isRegistered, entries: Self.entries(object.state, archive))
        }
        sections += archive.instances.enumerated().map { number, instance in
            Section(
                kind: "Instance", name: "#\(number)", className: instance.className,
                entries: Self.entries(instance.state, archive))
        }
    }

    private static func heading(of kind: RestorableObject.Kind) -> String {
        switch kind {
        case .viewController: "View Controller"
        case .view: "View"
        default: "Restorable Object"
        }
    }

    private static func topLevel(of archive: StateArchive) -> [Entry] {
        var entries = archive.application.map { Entry(key: $0.key, value: Value($0.value, archive)) }
        func append(_ key: StaticString, _ value: Value?) {
            if let value { entries.append(Entry(key: key.string, value: value)) }
        }
        append(ArchiveKey.formatVersion, .integer(ArchiveKey.currentFormat))
        append(ArchiveKey.bundleVersion, archive.bundleVersion.map { .string($0) })
        append(ArchiveKey.idiom, archive.idiom.map { .integer($0) })
        append(ArchiveKey.timestamp, archive.timestamp.map { .date($0) })
        append(ArchiveKey.systemVersion, archive.systemVersion.map { .string($0) })
        append(ArchiveKey.stateVersion, archive.stateVersion.map { .integer($0) })
        append(ArchiveKey.layout, archive.layout.map { .string($0.rawValue) })
        return entries.sorted { $0.key < $1.key }
    }

    fileprivate static func entries(_ state: [String: StateValue], _ archive: StateArchive) -> [Entry] {
        state.map { Entry(key: $0.key, value: Value($0.value, archive)) }.sorted { $0.key < $1.key }
    }
}

extension ArchiveInspection.Value {
    fileprivate init(_ value: StateValue, _ archive: StateArchive) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .unsigned(let value): self = .unsigned(value)
        case .real(let value): self = .real(value)
        case .string(let value): self = .string(value)
        case .data(let value): self = .data(value)
        case .date(let value): self = .date(value)
        case .array(let elements): self = .array(elements.map { Self($0, archive) })
        case .dictionary(let entries): self = .dictionary(ArchiveInspection.entries(entries, archive))
        case .object(let path): self = .object(path: path)
        case .reference(let index): self = .reference(index)
        case .instance(let index):
            let name = archive.instances.indices.contains(index) ? archive.instances[index].className : "?"
            self = .numbered(index, className: name)
        }
    }

    fileprivate init(_ reference: ModelReference) {
        var fields = Self.names(of: reference.element)
        fields.append(.init(key: "role", value: .string(reference.role.rawValue)))
        if let indexPath = reference.indexPath {
            fields.append(.init(key: "indexPath", value: .array(indexPath.map { .integer(Int64($0)) })))
        }
        for (key, neighbours) in [("before", reference.before), ("after", reference.after)] where !neighbours.isEmpty {
            fields.append(.init(key: key, value: .array(neighbours.map { .dictionary(Self.names(of: $0)) })))
        }
        self = .dictionary(fields)
    }

    private static func names(of element: ModelReference.Element) -> [ArchiveInspection.Entry] {
        var fields = [
            ArchiveInspection.Entry(key: "identifier", value: element.identifier.map { .string($0) } ?? .null)
        ]
        if !element.aliases.isEmpty {
            fields.append(.init(key: "aliases", value: .array(element.aliases.map { .string($0) })))
        }
        return fields
    }
}
