import KeyedArchive
import RestorationService

/// What `inspect` prints of an archive.
struct Inspection {
    typealias Field = InspectedValue.Field

    /// A headed block of lines.
    struct Section {
        var title: String
        var fields: [Field]
    }

    /// For people: the restoration classes first, then the top level, then each object.
    var sections: [Section]
    /// For programs.
    var json: InspectedValue

    var text: String {
        sections.map { section in
            ([section.title] + InspectedValue.lines(section.fields, indentation: 2)).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// Any app's keyed archive: what was encoded by name, and what that leads to.
    init(_ reader: KeyedArchiveReader) {
        var tree = ArchiveTree(reader)
        let top = tree.top()
        sections = [Section(title: "Top Level", fields: top)]
        json = .dictionary(top)
    }

    /// An archive of Placekeeper's own format.
    init(_ archive: StateArchive) {
        let classes = archive.objects.compactMap { object in
            object.restorationClass.map { Field(key: object.path, value: .name($0)) }
        }
        sections = classes.isEmpty ? [] : [Section(title: "Restoration Classes", fields: classes)]
        sections.append(
            Section(title: "Top Level", fields: Self.top(archive) + InspectedValue.fields(archive.application)))
        sections += archive.objects.map(Self.section)
        sections += archive.instances.enumerated().map { index, instance in
            Section(
                title: "[Instance] \(index) (Class: \(harmless(instance.className)))",
                fields: InspectedValue.fields(instance.state))
        }
        if let place = archive.place {
            sections.append(Section(title: "Place", fields: place.steps.enumerated().map(Self.step)))
        }
        if !archive.references.isEmpty {
            let fields = archive.references.enumerated().map(Self.reference)
            sections.append(Section(title: "Model References", fields: fields))
        }
        json = Self.json(archive)
    }

    private static func section(_ object: RestorableObject) -> Section {
        let kind: String =
            switch object.kind {
            case .viewController: "View Controller"
            case .view: "View"
            default: "Restorable Object"
            }
        let registered = object.isRegistered ? ", registered" : ""
        var fields = InspectedValue.fields(object.state)
        if let identifier = object.storyboardIdentifier {
            fields.insert(Field(key: "Storyboard Identifier", value: .name(identifier)), at: 0)
        }
        if let storyboard = object.storyboard {
            fields.insert(Field(key: "Storyboard", value: .name(storyboard)), at: 0)
        }
        return Section(
            title: "[\(kind)] \(harmless(object.path)) (Class: \(harmless(object.className))\(registered))",
            fields: fields)
    }

    private static func top(_ archive: StateArchive) -> [Field] {
        let idiom = archive.idiom.map { number in
            Int(exactly: number).flatMap(Idiom.init(rawValue:))?.name ?? "\(number)"
        }
        let fields: [(String, InspectedValue?)] = [
            ("Bundle Version", archive.bundleVersion.map(InspectedValue.name)),
            ("Idiom", idiom.map(InspectedValue.name)),
            ("Layout", archive.layout.map { .name($0.rawValue) }),
            ("Saved", archive.timestamp.map(InspectedValue.date)),
            ("State Version", archive.stateVersion.map(InspectedValue.integer)),
            ("System Version", archive.systemVersion.map(InspectedValue.name)),
        ]
        return fields.compactMap { key, value in value.map { Field(key: key, value: $0) } }
    }

    private static func step(_ index: Int, _ step: KeyedArchive.Place.Step) -> Field {
        let references = step.references.map(InspectedValue.reference)
        let fields =
            (step.title.map { [Field(key: "title", value: .text($0))] } ?? [])
            + (references.isEmpty ? [] : [Field(key: "references", value: .array(references))])
            + InspectedValue.fields(step.parameters)
        return Field(key: "\(index + 1) \(step.screen)", value: .dictionary(fields))
    }

    private static func reference(_ index: Int, _ reference: ModelReference) -> Field {
        Field(key: "\(index) \(reference.dataSource)", value: .dictionary(InspectedValue.fields(reference)))
    }
}
