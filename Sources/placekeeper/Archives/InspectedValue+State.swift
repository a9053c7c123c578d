import KeyedArchive

extension InspectedValue {
    /// State with its keys sorted.
    static func fields(_ state: [String: StateValue]) -> [Field] {
        state.sorted { $0.key < $1.key }.map { Field(key: $0.key, value: InspectedValue($0.value)) }
    }

    init(_ value: StateValue) {
        self =
            switch value {
            case .null: .null
            case .boolean(let value): .boolean(value)
            case .integer(let value): .integer(value)
            case .unsigned(let value): .unsigned(value)
            case .real(let value): .real(value)
            case .string(let value): .text(value)
            case .data(let value): .data(value)
            case .date(let value): .date(value)
            case .array(let elements): .array(elements.map(InspectedValue.init))
            case .dictionary(let entries): .dictionary(Self.fields(entries))
            case .object(let path): .proxy(path: path)
            case .reference(let index): .reference(index)
            case .instance(let index): .instance(index)
            }
    }

    static func fields(_ reference: ModelReference) -> [Field] {
        var fields = fields(reference.element)
        if !reference.after.isEmpty { fields.append(Field(key: "after", value: elements(reference.after))) }
        if !reference.before.isEmpty { fields.append(Field(key: "before", value: elements(reference.before))) }
        fields.append(Field(key: "dataSource", value: .text(reference.dataSource)))
        if let path = reference.indexPath {
            fields.append(Field(key: "indexPath", value: .array(path.map { .integer(Int64($0)) })))
        }
        fields.append(Field(key: "role", value: .text(reference.role.rawValue)))
        return fields.sorted { $0.key < $1.key }
    }

    private static func elements(_ elements: [ModelReference.Element]) -> InspectedValue {
        .array(elements.map { .dictionary(fields($0)) })
    }

    private static func fields(_ element: ModelReference.Element) -> [Field] {
        let aliases = element.aliases.map(InspectedValue.text)
        return (aliases.isEmpty ? [] : [Field(key: "aliases", value: .array(aliases))])
            + [Field(key: "identifier", value: element.identifier.map(InspectedValue.text) ?? .null)]
    }
}
