import PlacekeeperArchive

extension StateValue {
    /// Decodes the saved value as the given type.
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value { try decoded(as: type, at: []) }

    fileprivate func decoded<Value: Decodable>(as type: Value.Type, at path: [any CodingKey]) throws -> Value {
        if let convertible = type as? any StateConvertible.Type {
            if let value = convertible.init(stateValue: self) as? Value { return value }
            throw Self.mismatch(type, path)
        }
        return try Value(from: ValueDecoder(value: self, codingPath: path))
    }

    fileprivate static func mismatch(_ type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
        .typeMismatch(type, .init(codingPath: path, debugDescription: "The saved value has another type"))
    }
}

private struct ValueDecoder: Decoder {
    let value: StateValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .dictionary(let values) = value else {
            throw StateValue.mismatch([String: StateValue].self, codingPath)
        }
        return KeyedDecodingContainer(KeyedValues(values: values, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = value else { throw StateValue.mismatch([StateValue].self, codingPath) }
        return UnkeyedValues(values: values, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleValue(value: value, codingPath: codingPath)
    }
}

private struct SingleValue: SingleValueDecodingContainer {
    let value: StateValue
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { value == .null }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value.decoded(as: type, at: codingPath) }
}

private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let values: [String: StateValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { values.keys.compactMap(Key.init(stringValue:)) }

    private func value(_ key: any CodingKey) throws -> StateValue {
        if let value = values[key.stringValue] { return value }
        throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "No value was saved"))
    }

    private func decoder(_ key: any CodingKey) throws -> ValueDecoder {
        ValueDecoder(value: try value(key), codingPath: codingPath + [key])
    }

    func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try value(key).decoded(as: type, at: codingPath + [key])
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { try decoder(IndexKey.parent) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct UnkeyedValues: UnkeyedDecodingContainer {
    let values: [StateValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(values: [StateValue], codingPath: [any CodingKey]) {
        self.values = values
        self.codingPath = codingPath
    }

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }
    private var path: [any CodingKey] { codingPath + [IndexKey(intValue: currentIndex)] }

    private func next(_ type: Any.Type) throws -> StateValue {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(type, .init(codingPath: path, debugDescription: "No values are left"))
        }
        return values[currentIndex]
    }

    /// Reads the next element. Advances `currentIndex` only if this succeeds.
    private mutating func take<Value>(_ read: (ValueDecoder) throws -> Value) throws -> Value {
        let value = try read(ValueDecoder(value: try next(Value.self), codingPath: path))
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard try next(Never?.self) == .null else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try take { try $0.value.decoded(as: type, at: $0.codingPath) }
    }
    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try take { try $0.container(keyedBy: type) } }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take { try $0.unkeyedContainer() }
    }
    mutating func superDecoder() throws -> any Decoder { try take { $0 } }
}
