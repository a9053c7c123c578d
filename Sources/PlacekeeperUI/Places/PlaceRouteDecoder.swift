import Foundation
import PlacekeeperArchive

/// Decodes a route from its coded form. A value that is missing or of another type is an error, and never ends the
/// process.
struct PlaceRouteDecoder: Decoder {
    indirect enum Form {
        case value(StateValue)
        /// The identifier of an item: the text of a string, of a whole number, or of a type that is coded as one of
        /// them.
        case item(String)
        case members([String: Form])
    }

    let form: Form
    /// The number of levels that are still allowed.
    var budget = 32
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .members(let members) = form else { throw mismatch(type) }
        return KeyedDecodingContainer(PlaceRouteMembers(members: members, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .value(.array(let elements)) = form else { throw mismatch([Any].self) }
        return PlaceRouteElements(elements: elements, decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { PlaceRouteValue(decoder: self) }

    fileprivate var isNull: Bool { if case .value(.null) = form { true } else { false } }

    fileprivate func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let value = scalar(type) { return value }
        // If the form has another type, `Int(from:)` calls this method again, until the budget is used up.
        return try Value(from: inner(form))
    }

    fileprivate func inner(_ form: Form?) throws -> PlaceRouteDecoder {
        guard let form, budget > 0 else { throw mismatch(Form.self) }
        return PlaceRouteDecoder(form: form, budget: budget - 1)
    }

    /// Nil if the value has another type.
    private func scalar<Value>(_ type: Value.Type) -> Value? {
        let integer = type as? any FixedWidthInteger.Type
        switch form {
        case .item(let text): return text as? Value ?? integer.flatMap { number(text, $0) as? Value }
        case .value(.boolean(let value)): return value as? Value
        case .value(.integer(let number)):
            return integer.flatMap { $0.init(exactly: number) as? Value } ?? real(Double(number), type)
        case .value(.unsigned(let number)):
            return integer.flatMap { $0.init(exactly: number) as? Value } ?? real(Double(number), type)
        case .value(.real(let number)): return real(number, type)
        case .value(.string(let text)): return text as? Value
        case .value(.data(let bytes)): return Data(bytes) as? Value
        case .value(.date(let seconds)):
            return seconds.isNaN ? nil : Date(timeIntervalSinceReferenceDate: seconds) as? Value
        case .value, .members: return nil
        }
    }

    /// Nil for NaN, because a route with NaN isn't equal to itself, so the path would always seem to have changed.
    private func real<Value>(_ number: Double, _ type: Value.Type) -> Value? {
        number.isNaN ? nil : number as? Value ?? Float(number) as? Value
    }

    /// Nil if the text isn't the canonical form of the number: `05` is a different identifier than `5`.
    private func number<Integer: FixedWidthInteger>(_ text: String, _ type: Integer.Type) -> Integer? {
        Integer(text, radix: 10).flatMap { String($0) == text ? $0 : nil }
    }

    fileprivate func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: [], debugDescription: "The place has another value, or none."))
    }
}

private struct PlaceRouteMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: PlaceRouteDecoder.Form]
    let decoder: PlaceRouteDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).decode(type) }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { try decoder.inner(members["super"]) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

    private func member(_ key: Key) throws -> PlaceRouteDecoder { try decoder.inner(members[key.stringValue]) }
}

private struct PlaceRouteElements: UnkeyedDecodingContainer {
    let elements: [StateValue]
    let decoder: PlaceRouteDecoder
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try element().isNull else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try element().decode(type)
        currentIndex += 1
        return value
    }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        try next().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }

    private func element() throws -> PlaceRouteDecoder {
        try decoder.inner(isAtEnd ? nil : .value(elements[currentIndex]))
    }
    private mutating func next() throws -> PlaceRouteDecoder {
        let element = try element()
        currentIndex += 1
        return element
    }
}

private struct PlaceRouteValue: SingleValueDecodingContainer {
    let decoder: PlaceRouteDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { decoder.isNull }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
