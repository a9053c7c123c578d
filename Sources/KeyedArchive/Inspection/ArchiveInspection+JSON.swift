extension ArchiveInspection {
    /// The inspection as JSON text. Finite numbers and strings are JSON numbers and strings. Infinities and NaN are
    /// JSON strings. A date is `{"date": …}` (RFC 3339), data is `{"data": …}` in hexadecimal, a restorable object is
    /// `{"object": PATH}`, a model reference is `{"reference": N}`, an object with its own section is
    /// `{"numbered": N, "class": …}`, and a value that was left out is `{"elided": true}`.
    public var json: String {
        JSONText(
            .object([
                ("formatVersion", formatVersion.map { .number("\($0)") } ?? .null),
                ("restorationClasses", Self.object(restorationClasses)),
                ("topLevel", Self.object(topLevel)),
                ("place", Self.object(place)),
                ("references", Self.object(references)),
                ("objects", .array(sections.map(\.json))),
            ])
        ).text
    }

    fileprivate static func object(_ entries: [Entry]) -> JSONText.Value {
        .object(entries.map { ($0.key, $0.value.json) })
    }
}

extension ArchiveInspection.Section {
    fileprivate var json: JSONText.Value {
        .object([
            ("kind", .string(kind)), ("name", .string(name)), ("class", .string(className)),
            ("storyboard", storyboard.map { .string($0) } ?? .null),
            ("storyboardIdentifier", storyboardIdentifier.map { .string($0) } ?? .null),
            ("registered", .boolean(isRegistered)), ("entries", ArchiveInspection.object(entries)),
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
        case .dictionary(let entries): ArchiveInspection.object(entries)
        case .object(let path): .object([("object", .string(path))])
        case .reference(let index): .object([("reference", .number("\(index)"))])
        case .numbered(let index, let name): .object([("numbered", .number("\(index)")), ("class", .string(name))])
        case .elided: .object([("elided", .boolean(true))])
        }
    }
}
