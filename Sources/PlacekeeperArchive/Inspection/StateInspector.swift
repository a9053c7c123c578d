/// Inspects an archive in Placekeeper's format.
struct StateInspector {
    private let archive: StateArchive
    private var budget: InspectionBudget

    private typealias Value = ArchiveInspection.Value
    private typealias Entry = ArchiveInspection.Entry

    init(_ archive: StateArchive, byteCount: Int) {
        self.archive = archive
        budget = InspectionBudget(byteCount: byteCount)
    }

    mutating func inspect() -> ArchiveInspection {
        var inspection = ArchiveInspection(topLevel: topLevel(), sections: [])
        inspection.formatVersion = ArchiveKey.currentFormat
        for (number, step) in (archive.place?.steps ?? []).enumerated() {
            inspection.place.append(entry(step, number: number + 1))
        }
        for (number, reference) in archive.references.enumerated() where !budget.isSpent {
            inspection.references.append(entry(reference, number: number))
        }
        for object in archive.objects where !budget.isSpent { inspection.sections.append(section(object)) }
        for (number, instance) in archive.instances.enumerated() where !budget.isSpent {
            inspection.sections.append(
                .init(
                    kind: "Instance", name: "#\(number)", className: budget.text(instance.className),
                    entries: entries(instance.state)))
        }
        return inspection
    }

    private mutating func topLevel() -> [Entry] {
        var entries: [Entry] = []
        func append(_ key: StaticString, _ value: Value?) {
            if let value { entries.append(Entry(key: key.string, value: value)) }
        }
        append(ArchiveKey.formatVersion, .integer(ArchiveKey.currentFormat))
        append(ArchiveKey.bundleVersion, archive.bundleVersion.map { .string($0) })
        append(ArchiveKey.idiom, archive.idiom.map { .integer($0) })
        append(ArchiveKey.timestamp, archive.timestamp.map { .date($0) })
        append(ArchiveKey.systemVersion, archive.systemVersion.map { .string($0) })
        append(ArchiveKey.stateVersion, archive.stateVersion.map { .integer($0) })
        append(ArchiveKey.webAddress, archive.place?.webAddress.map { .string($0) })
        append(ArchiveKey.layout, archive.layout.map { .string($0.rawValue) })
        append(ArchiveKey.isPlaceOnly, archive.isPlaceOnly ? .boolean(true) : nil)
        // The sort is stable, so a key of the archive format comes before the same key of the app.
        return budget.sorted(entries + self.entries(archive.application), by: { $0.key })
    }

    private mutating func section(_ object: RestorableObject) -> ArchiveInspection.Section {
        let kind =
            switch object.kind {
            case .viewController: "View Controller"
            case .view: "View"
            default: "Restorable Object"
            }
        return .init(
            kind: kind, name: budget.text(object.path), className: budget.text(object.className),
            restorationClass: optional(object.restorationClass), storyboard: optional(object.storyboard),
            storyboardIdentifier: optional(object.nameInStoryboard), isRegistered: object.isRegistered,
            entries: entries(object.state))
    }

    private mutating func optional(_ text: String?) -> String? { text.map { budget.text($0) } }

    private mutating func entry(_ step: Place.Step, number: Int) -> Entry {
        var fields: [Entry] = []
        if let title = step.title { fields.append(Entry(key: "title", value: .string(budget.text(title)))) }
        if !step.references.isEmpty {
            fields.append(Entry(key: "references", value: .array(step.references.map { .reference($0) })))
        }
        if !step.parameters.isEmpty {
            fields.append(Entry(key: "parameters", value: .dictionary(entries(step.parameters))))
        }
        if let progress = step.progress { fields.append(Entry(key: "progress", value: .real(progress))) }
        return Entry(key: "\(number) \(budget.text(step.screen))", value: .dictionary(fields))
    }

    private mutating func entry(_ reference: ModelReference, number: Int) -> Entry {
        var fields = names(of: reference.element)
        fields.append(Entry(key: "role", value: .string(budget.text(reference.role.rawValue))))
        if let indexPath = reference.indexPath {
            fields.append(Entry(key: "indexPath", value: .array(indexPath.map { .integer(Int64($0)) })))
        }
        for (key, neighbors) in [("before", reference.before), ("after", reference.after)] where !neighbors.isEmpty {
            var values: [Value] = []
            for neighbor in neighbors { values.append(.dictionary(names(of: neighbor))) }
            fields.append(Entry(key: key, value: .array(values)))
        }
        if let resolution = reference.resolution {
            fields.append(Entry(key: "step", value: .string(budget.text(resolution.step.rawValue))))
            fields.append(Entry(key: "confidence", value: .real(resolution.confidence)))
            if resolution.isAmbiguous { fields.append(Entry(key: "ambiguous", value: .boolean(true))) }
            if let neighbor = resolution.neighbor {
                fields.append(Entry(key: "neighbor", value: .string(budget.text(neighbor))))
            }
        }
        return Entry(key: "\(number) \(budget.text(reference.dataSource))", value: .dictionary(fields))
    }

    private mutating func names(of element: ModelReference.Element) -> [Entry] {
        let identifier = optional(element.identifier)
        var fields = [Entry(key: "identifier", value: identifier.map { .string($0) } ?? .null)]
        for (key, names) in [("aliases", element.aliases), ("shared", element.sharedAliases ?? [])] {
            var values: [Value] = []
            for name in names where !budget.isSpent { values.append(.string(budget.text(name))) }
            if !values.isEmpty { fields.append(Entry(key: key, value: .array(values))) }
        }
        return fields
    }
}

extension StateInspector {
    private mutating func entries(_ state: [String: StateValue]) -> [Entry] {
        var entries: [Entry] = []
        for (key, value) in budget.sorted(Array(state), by: { $0.key }) where !budget.isSpent {
            entries.append(Entry(key: budget.text(key), value: shown(value)))
        }
        return entries
    }

    private mutating func shown(_ value: StateValue) -> Value {
        guard budget.consume() else { return .elided }
        switch value {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .real(let value): return .real(value)
        case .date(let value): return .date(value)
        case .string(let value): return .string(budget.text(value))
        case .data(let bytes): return budget.consume(2 * bytes.count) ? .data(bytes) : .elided
        case .dictionary(let entries): return .dictionary(self.entries(entries))
        case .object(let path): return .object(path: budget.text(path))
        case .reference(let index): return .reference(index)
        case .instance(let index):
            // A `StateArchive` that was not read from a file may refer to an instance that does not exist.
            let name = archive.instances.indices.contains(index) ? archive.instances[index].className : "?"
            return .numbered(index, className: budget.text(name))
        case .array(let elements):
            var values: [Value] = []
            for element in elements {
                guard !budget.isSpent else { return .array(values + [.elided]) }
                values.append(shown(element))
            }
            return .array(values)
        }
    }
}

extension RestorableObject {
    /// The object's identifier in `storyboard`. An archive leaves it out if it is the restoration identifier.
    fileprivate var nameInStoryboard: String? {
        guard storyboard != nil else { return nil }
        return storyboardIdentifier ?? path.split(separator: "/").last.map(String.init)
    }
}
