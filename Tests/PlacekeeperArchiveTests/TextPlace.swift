import PlacekeeperArchive

/// A position in an archive at which a test puts a string. Readers compare or hash this string or a string next to it.
enum TextPlace: String, CaseIterable, Sendable {
    case topLevelKey, bundleVersion, systemVersion, layout, applicationKey, applicationValue, path, kind, className
    case restorationClass, storyboard, stateKey, stateValue, objectMark, instanceClass, dataSource, role, identifier
    case alias, neighbor, step, provisionalNeighbor, screen, title, parameterKey, parameterValue

    /// Returns an archive with the string in this position and short strings in all other positions.
    func archive(holding text: String) -> [UInt8] {
        let state = dictionary([(held(.stateKey, "key", text), held(.stateValue, "value", text))])
        let object = record([
            "path": held(.path, "Tabs", text), "kind": held(.kind, "view", text),
            "class": held(.className, "Tabs", text), "restorationClass": held(.restorationClass, "Tabs", text),
            "storyboard": held(.storyboard, "Main", text), "state": state,
        ])
        let instance = record(["class": held(.instanceClass, "Sheet", text), "state": state])
        let reference = record([
            "dataSource": held(.dataSource, "photos", text), "role": held(.role, "selected", text),
            "identifier": held(.identifier, "1", text), "aliases": array([held(.alias, "sha:1", text)]),
            "before": array([record(["identifier": held(.neighbor, "2", text)])]),
            "step": held(.step, "exact", text), "confidence": .real(1),
            "neighbor": held(.provisionalNeighbor, "3", text),
        ])
        let step = record([
            "screen": held(.screen, "photo", text), "title": held(.title, "Photo", text),
            "parameters": dictionary([(held(.parameterKey, "key", text), held(.parameterValue, "value", text))]),
        ])
        let application = dictionary([
            (held(.applicationKey, "key", text), held(.applicationValue, "value", text)),
            (.string("object"), dictionary([(.string("Placekeeper.object"), held(.objectMark, "Tabs", text))])),
        ])
        let top: [(String, PropertyListValue)] = [
            ("Placekeeper.formatVersion", .integer(1)), (self == .topLevelKey ? text : "other", .boolean(true)),
            ("UIApplicationStateRestorationBundleVersion", held(.bundleVersion, "1", text)),
            ("UIApplicationStateRestorationSystemVersion", held(.systemVersion, "1", text)),
            ("Placekeeper.layout", held(.layout, "compact", text)), ("Placekeeper.application", application),
            ("Placekeeper.objects", array([object])), ("Placekeeper.instances", array([instance])),
            ("Placekeeper.references", array([reference])), ("Placekeeper.place", array([step])),
        ]
        return UncheckedPlist.bytes(top: top)
    }

    private func held(_ place: TextPlace, _ other: String, _ text: String) -> PropertyListValue {
        .string(self == place ? text : other)
    }

    private func record(_ entries: KeyValuePairs<String, PropertyListValue>) -> PropertyListValue {
        dictionary(entries.map { (.string($0.key), $0.value) })
    }

    private func dictionary(_ entries: [(PropertyListValue, PropertyListValue)]) -> PropertyListValue {
        .dictionary(["NS.keys": .array(entries.map(\.0)), "NS.objects": .array(entries.map(\.1))])
    }

    private func array(_ elements: [PropertyListValue]) -> PropertyListValue {
        .dictionary(["NS.objects": .array(elements)])
    }
}
