extension TableReader {
    /// Reads the state of a record. Throws if the record does not contain a state dictionary.
    mutating func state(of record: Record) throws(ArchiveError) -> [String: StateValue] {
        guard let object = view.value(for: ArchiveKey.state, in: record.entries) else {
            throw error(record.code, record.object)
        }
        return try state(object)
    }

    /// Reads an object as a state dictionary.
    mutating func state(_ object: UInt32) throws(ArchiveError) -> [String: StateValue] {
        guard case .dictionary(let state) = try stateValue(object, depth: 1) else { throw error(.state, object) }
        return state
    }

    private mutating func stateValue(_ element: UInt32, depth: Int) throws(ArchiveError) -> StateValue {
        guard let object = view.nonNil(element) else { return .null }
        try visit(object)
        switch view.list.content(object) {
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .real(let value): return .real(value)
        case .date(let value): return .date(value)
        case .data: return .data(data(object))
        case .string: return .string(string(object))
        case .uid, .array: throw error(.state, object)
        case .dictionary: return try container(object, depth: depth)
        }
    }

    private mutating func container(_ object: UInt32, depth: Int) throws(ArchiveError) -> StateValue {
        if let entries = view.dictionary(object) {
            if let value = try mark(entries, of: object, depth: depth) { return value }
            return .dictionary(try dictionary(entries, of: object, depth: depth, isEscaped: false))
        }
        if let elements = view.array(object) {
            try checkDepth(depth, of: object)
            var values: [StateValue] = []
            for index in 0..<elements.count {
                values.append(try stateValue(view.list.element(index, of: elements), depth: depth + 1))
            }
            return .array(values)
        }
        if let text = view.textObject(object) { return .string(string(text)) }
        if let seconds = view.date(object) { return .date(seconds) }
        if let bytes = view.dataObject(object) { return .data(data(bytes)) }
        throw error(.state, object)
    }

    /// Checks the depth of an array or dictionary. Marks and dates are dictionaries too, but do not count as a level.
    private func checkDepth(_ depth: Int, of object: UInt32) throws(ArchiveError) {
        guard depth <= StateArchiveWriter.maximumDepth else { throw error(.tooDeep, object) }
    }

    private mutating func dictionary(
        _ entries: KeyedView.Dictionary, of object: UInt32, depth: Int, isEscaped: Bool
    ) throws(ArchiveError) -> [String: StateValue] {
        try checkDepth(depth, of: object)
        // Reserve the capacity: a growing dictionary hashes all its keys again, in one long step.
        var values = [String: StateValue](minimumCapacity: entries.keys.count)
        for index in 0..<entries.keys.count {
            let keyObject = view.resolve(view.list.element(index, of: entries.keys))
            let key = try key(try textObject(keyObject, .state))
            guard isEscaped || !key.utf8.starts(with: ArchiveKey.markPrefix.string.utf8) else {
                throw error(.state, keyObject)
            }
            let value = try stateValue(view.list.element(index, of: entries.values), depth: depth + 1)
            guard values.updateValue(value, forKey: key) == nil else { throw error(.duplicateKey, keyObject) }
        }
        return values
    }

    /// Reads the value of a mark. `nil` if the dictionary is not a mark.
    private mutating func mark(
        _ entries: KeyedView.Dictionary, of object: UInt32, depth: Int
    ) throws(ArchiveError) -> StateValue? {
        guard entries.keys.count == 1 else { return nil }
        let key = view.resolve(view.list.element(0, of: entries.keys))
        let value = view.resolve(view.list.element(0, of: entries.values))
        if view.list.isString(key, equalTo: ArchiveKey.null) { return .null }
        if view.list.isString(key, equalTo: ArchiveKey.objectMark) {
            return .object(path: string(try textObject(value, .state)))
        }
        if view.list.isString(key, equalTo: ArchiveKey.referenceMark) {
            return .reference(try index(value, below: referenceCount))
        }
        if view.list.isString(key, equalTo: ArchiveKey.instanceMark) {
            return .instance(try index(value, below: instanceCount))
        }
        guard view.list.isString(key, equalTo: ArchiveKey.dictionaryMark) else { return nil }
        guard let inner = view.dictionary(value) else { throw error(.state, value) }
        return .dictionary(try dictionary(inner, of: value, depth: depth, isEscaped: true))
    }

    private func index(_ object: UInt32, below count: Int) throws(ArchiveError) -> Int {
        guard let value = view.integer(object), value >= 0, value < count else { throw error(.state, object) }
        return Int(value)
    }
}
