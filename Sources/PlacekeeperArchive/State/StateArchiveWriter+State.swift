extension StateArchiveWriter {
    /// The maximum nesting depth in state.
    static let maximumDepth = 128

    /// Adds a state dictionary with its keys sorted. If a key begins with `markPrefix`, the dictionary is wrapped in a
    /// mark. Otherwise, readers would take the dictionary itself for a mark.
    mutating func state(
        _ entries: [String: StateValue], in subject: String, depth: Int, isPlace: Bool = false
    ) throws(ArchiveWritingError) -> UID {
        guard depth <= Self.maximumDepth else { throw ArchiveWritingError(.tooDeep, in: subject) }
        var added: [UID] = []
        added.reserveCapacity(entries.count)
        let shape: StateShape
        if let known = shapes[entries.count], let values = known.values(of: entries) {
            // The archive already contains the keys, so only the values are added.
            shape = known
            for value in values { added.append(try add(value, in: subject, depth: depth + 1, isPlace: isPlace)) }
        } else {
            let entries = entries.sorted { $0.key < $1.key }
            var new = StateShape(keys: entries.map(\.key))
            for (key, value) in entries {
                new.uids.append(builder.add(key))
                added.append(try add(value, in: subject, depth: depth + 1, isPlace: isPlace))
            }
            // The builder adds the string `$null` as a new object each time, so a shape with this key is not reused.
            if !new.keys.contains("$null") { shapes[entries.count] = new }
            shape = new
        }
        guard keys.consume(shape.cost) else { throw ArchiveWritingError(.expansion, in: subject) }
        let dictionary = builder.addDictionary(keys: shape.uids, values: added)
        return shape.needsMark ? mark(ArchiveKey.dictionaryMark, dictionary) : dictionary
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

extension StateValue {
    /// The maximum nesting depth of arrays and dictionaries in an archive. The outermost dictionary counts.
    package static let maximumDepth = StateArchiveWriter.maximumDepth
}

/// The sorted keys of a state dictionary, with their UIDs in the archive.
struct StateShape: Sendable {
    let keys: [String]
    /// Whether a key begins with `ArchiveKey.markPrefix`. The dictionary is then wrapped in a mark.
    let needsMark: Bool
    /// The cost of hashing the keys once.
    let cost: Int
    var uids: [KeyedArchiveBuilder.UID] = []

    init(keys: [String]) {
        self.keys = keys
        cost = keys.reduce(0) { $0 + KeyBudget.cost(of: $1) }
        needsMark = keys.contains { $0.utf8.starts(with: ArchiveKey.markPrefix.string.utf8) }
    }

    /// Returns a state's values in key order. `nil` if its keys differ from the shape's.
    /// - Precondition: State and shape have the same number of keys.
    func values(of entries: [String: StateValue]) -> [StateValue]? {
        var values: [StateValue] = []
        values.reserveCapacity(keys.count)
        for key in keys {
            guard let value = entries[key] else { return nil }
            values.append(value)
        }
        return values
    }
}
