import KeyedArchive

extension Inspection {
    /// An archive of Placekeeper's own format with the names that docs/archive-format.md has for its parts.
    static func json(_ archive: StateArchive) -> InspectedValue {
        let fields: [(String, InspectedValue?)] = [
            ("application", .dictionary(InspectedValue.fields(archive.application))),
            ("bundleVersion", archive.bundleVersion.map(InspectedValue.text)),
            ("idiom", archive.idiom.map(InspectedValue.integer)),
            ("instances", .array(archive.instances.map(json))),
            ("layout", archive.layout.map { .text($0.rawValue) }),
            ("objects", .array(archive.objects.map(json))),
            ("place", archive.place.map { .array($0.steps.map(json)) }),
            ("references", .array(archive.references.map { .dictionary(InspectedValue.fields($0)) })),
            ("stateVersion", archive.stateVersion.map(InspectedValue.integer)),
            ("systemVersion", archive.systemVersion.map(InspectedValue.text)),
            ("timestamp", archive.timestamp.map(InspectedValue.date)),
        ]
        return object(fields)
    }

    private static func json(_ object: RestorableObject) -> InspectedValue {
        Self.object([
            ("class", .text(object.className)), ("kind", .text(object.kind.rawValue)), ("path", .text(object.path)),
            ("registered", object.isRegistered ? .boolean(true) : nil),
            ("restorationClass", object.restorationClass.map(InspectedValue.text)),
            ("state", .dictionary(InspectedValue.fields(object.state))),
            ("storyboard", object.storyboard.map(InspectedValue.text)),
            ("storyboardIdentifier", object.storyboardIdentifier.map(InspectedValue.text)),
        ])
    }

    private static func json(_ instance: SavedInstance) -> InspectedValue {
        object([
            ("class", .text(instance.className)), ("state", .dictionary(InspectedValue.fields(instance.state))),
        ])
    }

    private static func json(_ step: KeyedArchive.Place.Step) -> InspectedValue {
        object([
            ("parameters", .dictionary(InspectedValue.fields(step.parameters))),
            ("references", .array(step.references.map { .integer(Int64($0)) })), ("screen", .text(step.screen)),
            ("title", step.title.map(InspectedValue.text)),
        ])
    }

    private static func object(_ fields: [(String, InspectedValue?)]) -> InspectedValue {
        .dictionary(fields.compactMap { key, value in value.map { .init(key: key, value: $0) } })
    }
}
