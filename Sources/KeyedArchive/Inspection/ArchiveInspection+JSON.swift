extension ArchiveInspection {
    /// The inspection as JSON text. Finite numbers and strings are JSON numbers and strings. Infinities and NaN are
    /// JSON strings. A date is `{"date": …}` (RFC 3339), data is `{"data": …}` in hexadecimal, a restorable object is
    /// `{"object": PATH}`, a model reference is `{"reference": N}`, an object with its own section is
    /// `{"numbered": N, "class": …}`, and a value that was left out is `{"elided": true}`.
    public var json: String { JSONText(tree(\.json)).text }

    /// The inspection as JSON text without the values. In place of a value: `{"redacted": TYPE}`, with the number of
    /// elements as `count` if the value is an array or a dictionary. The keys of dictionaries in the saved state are left
    /// out too, because they may be the user's. Restoration paths, the names of classes, the screens of the place, the
    /// names of data sources, and the links between objects stay.
    package var redactedJSON: String { JSONText(tree(\.redacted)).text }

    private func tree(_ show: (Value) -> JSONText.Value) -> JSONText.Value {
        // The values of the place and of the references are dictionaries with fixed keys.
        func fields(_ entries: [Entry]) -> JSONText.Value {
            .object(
                entries.map { entry in
                    guard case .dictionary(let fields) = entry.value else { return (entry.key, show(entry.value)) }
                    return (entry.key, .object(fields.map { ($0.key, show($0.value)) }))
                })
        }
        return .object([
            ("formatVersion", formatVersion.map { .number("\($0)") } ?? .null),
            ("restorationClasses", .object(restorationClasses.map { ($0.key, $0.value.json) })),
            ("topLevel", .object(topLevel.map { ($0.key, show($0.value)) })),
            ("place", fields(place)),
            ("references", fields(references)),
            ("objects", .array(sections.map { $0.json(show) })),
        ])
    }
}

extension ArchiveInspection.Section {
    fileprivate func json(_ show: (ArchiveInspection.Value) -> JSONText.Value) -> JSONText.Value {
        .object([
            ("kind", .string(kind)), ("name", .string(name)), ("class", .string(className)),
            ("storyboard", storyboard.map { .string($0) } ?? .null),
            ("storyboardIdentifier", storyboardIdentifier.map { .string($0) } ?? .null),
            ("registered", .boolean(isRegistered)),
            ("entries", .object(entries.map { ($0.key, show($0.value)) })),
        ])
    }
}

extension ArchiveInspection.Value {
    var json: JSONText.Value {
        switch self {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .number("\(value)")
        case .unsigned(let value): .number("\(value)")
        // JSON has neither infinities nor NaN.
        case .real(let value): value.isFinite ? .number("\(value)") : .string("\(value)")
        case .string(let value): .string(value)
        case .date: .object([("date", .string(text))])
        case .data(let bytes): .object([("data", .string(bytes.hexadecimal))])
        case .array(let elements): .array(elements.map(\.json))
        case .dictionary(let entries): .object(entries.map { ($0.key, $0.value.json) })
        case .object(let path): .object([("object", .string(path))])
        case .reference(let index): .object([("reference", .number("\(index)"))])
        case .numbered(let index, let name): .object([("numbered", .number("\(index)")), ("class", .string(name))])
        case .elided: .object([("elided", .boolean(true))])
        }
    }

    /// The type of the value. A link to another object of the archive is no content, so it stays.
    fileprivate var redacted: JSONText.Value {
        func type(_ name: String, _ count: Int? = nil) -> JSONText.Value {
            .object([("redacted", .string(name))] + (count.map { [("count", .number("\($0)"))] } ?? []))
        }
        return switch self {
        case .null, .object, .reference, .numbered, .elided: json
        case .boolean: type("boolean")
        case .integer, .unsigned: type("integer")
        case .real: type("real")
        case .string: type("string")
        case .date: type("date")
        case .data: type("data")
        case .array(let elements): type("array", elements.count)
        case .dictionary(let entries): type("dictionary", entries.count)
        }
    }

    /// The value in JSON, or only its type.
    package func json(isRedacted: Bool) -> String { JSONText(isRedacted ? redacted : json).text }

    /// The approximate number of bytes of the value in a binary property list, if the value shares nothing with other
    /// values.
    package var byteCount: Int {
        switch self {
        case .null, .boolean: 1
        case .integer, .unsigned, .real, .date: 9
        case .string(let text): 2 + text.utf8.count
        case .data(let bytes): 2 + bytes.count
        case .array(let elements): elements.reduce(2) { $0 + 2 + $1.byteCount }
        case .dictionary(let entries): entries.reduce(2) { $0 + 6 + $1.key.utf8.count + $1.value.byteCount }
        case .object, .reference, .numbered, .elided: 2
        }
    }
}

extension ArchiveInspection {
    /// The approximate number of bytes of each value at the top level, in the place, in the references, and in the saved
    /// state of each object: the largest first. A key is preceded by the name of its section and a slash.
    package var sizes: [(key: String, byteCount: Int)] {
        var sizes = topLevel.map { (key: "Top Level/" + $0.key, byteCount: $0.value.byteCount) }
        sizes += place.map { ("Place/" + $0.key, $0.value.byteCount) }
        sizes += references.map { ("Model References/" + $0.key, $0.value.byteCount) }
        for section in sections {
            sizes += section.entries.map { (section.name + "/" + $0.key, $0.value.byteCount) }
        }
        return sizes.sorted { ($1.byteCount, $0.key) < ($0.byteCount, $1.key) }
    }
}
