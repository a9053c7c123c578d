extension StateArchiveWriter {
    /// How deeply values may be nested in state.
    static let maximumDepth = 128

    /// Adds a dictionary of state, its keys in order. One that has a key like those of marks is wrapped in a mark itself.
    mutating func state(
        _ entries: [String: StateValue], in subject: String, depth: Int, isPlace: Bool = false
    ) throws(ArchiveWritingError) -> UID {
        guard depth <= Self.maximumDepth else { throw ArchiveWritingError(.tooDeep, in: subject) }
        var fields = Fields()
        fields.keys.reserveCapacity(entries.count)
        fields.values.reserveCapacity(entries.count)
        var needsMark = false
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            if key.utf8.starts(with: ArchiveKey.markPrefix.string.utf8) { needsMark = true }
            fields.keys.append(builder.add(key))
            fields.values.append(try add(value, in: subject, depth: depth + 1, isPlace: isPlace))
        }
        let dictionary = builder.addDictionary(keys: fields.keys, values: fields.values)
        return needsMark ? mark(ArchiveKey.dictionaryMark, dictionary) : dictionary
    }

    private mutating func add(
        _ value: StateValue, in subject: String, depth: Int, isPlace: Bool
    ) throws(ArchiveWritingError) -> UID {
        switch value {
        case .boolean(let value): return builder.add(value)
        case .integer(let value): return builder.add(value)
        case .unsigned(let value): return builder.add(value)
        case .real(let value): return builder.add(value)
        case .string(let value): return builder.add(value)
        case .data(let value): return builder.add(value)
        case .date(let seconds): return try date(seconds, in: subject)
        case .null: return mark(ArchiveKey.null, builder.add(true))
        case .array(let elements):
            guard depth <= Self.maximumDepth else { throw ArchiveWritingError(.tooDeep, in: subject) }
            var references: [UID] = []
            for element in elements {
                references.append(try add(element, in: subject, depth: depth + 1, isPlace: isPlace))
            }
            return builder.addArray(references)
        case .dictionary(let entries):
            return try state(entries, in: subject, depth: depth, isPlace: isPlace)
        case .object(let path):
            guard !isPlace else { throw ArchiveWritingError(.place, in: subject) }
            return mark(ArchiveKey.objectMark, builder.add(path))
        case .reference(let index):
            guard archive.references.indices.contains(index) else { throw ArchiveWritingError(.state, in: subject) }
            return mark(ArchiveKey.referenceMark, builder.add(Int64(index)))
        case .instance(let index):
            guard !isPlace else { throw ArchiveWritingError(.place, in: subject) }
            guard archive.instances.indices.contains(index) else { throw ArchiveWritingError(.state, in: subject) }
            return mark(ArchiveKey.instanceMark, builder.add(Int64(index)))
        }
    }

    private mutating func mark(_ key: StaticString, _ value: UID) -> UID {
        builder.addDictionary(keys: [builder.add(key.string)], values: [value])
    }
}
