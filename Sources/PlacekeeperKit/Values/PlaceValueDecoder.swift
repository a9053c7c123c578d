import Foundation
import PlacekeeperArchive

/// Decodes a value from its form in a place. A member that is missing or of another type is an error, and never ends
/// the process.
struct PlaceValueDecoder: Decoder {
    let value: StateValue?
    /// The items of the place, to which the value's references are indices.
    let items: [ItemUse]
    /// The number of levels that are still allowed.
    private var budget = 64
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: StateValue?, items: [ItemUse]) { (self.value, self.items) = (value, items) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .dictionary(let members)? = value else { throw mismatch(type) }
        return KeyedDecodingContainer(PlaceMembers(members: members, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements)? = value else { throw mismatch([Any].self) }
        return PlaceElements(elements: elements, decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { PlaceScalar(decoder: self) }

    /// The item that the value refers to.
    func itemUse() throws -> ItemUse {
        guard case .reference(let index)? = value, items.indices.contains(index) else { throw mismatch(ItemUse.self) }
        return items[index]
    }

    func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: [], debugDescription: "The place has another value, or none."))
    }

    fileprivate var isNull: Bool { value == nil || value == .null }

    /// Decodes the value.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let value = scalar(type) { return value }
        // If the form has another type, `Int(from:)` calls this method again, until the budget is used up.
        return try Value(from: inner(value))
    }

    fileprivate func inner(_ value: StateValue?) throws -> PlaceValueDecoder {
        guard let value, budget > 0 else { throw mismatch(StateValue.self) }
        var decoder = PlaceValueDecoder(value, items: items)
        decoder.budget = budget - 1
        return decoder
    }

    /// Nil if the value has another type.
    private func scalar<Value>(_ type: Value.Type) -> Value? {
        let integer = type as? any FixedWidthInteger.Type
        switch value {
        case .boolean(let value)?: return value as? Value
        case .integer(let number)?:
            return integer.flatMap { $0.init(exactly: number) as? Value } ?? real(Double(number), type)
        case .unsigned(let number)?:
            return integer.flatMap { $0.init(exactly: number) as? Value } ?? real(Double(number), type)
        case .real(let number)?: return real(number, type)
        case .string(let text)?: return text as? Value
        case .data(let bytes)?: return Data(bytes) as? Value
        case .date(let seconds)?:
            return seconds.isNaN ? nil : Date(timeIntervalSinceReferenceDate: seconds) as? Value
        default: return nil
        }
    }

    /// Nil for NaN, because a value with NaN isn't equal to itself, so the state would always seem to have changed.
    private func real<Value>(_ number: Double, _ type: Value.Type) -> Value? {
        number.isNaN ? nil : number as? Value ?? Float(number) as? Value
    }
}

private struct PlaceMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: StateValue]
    let decoder: PlaceValueDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { members[key.stringValue].map { $0 == .null } ?? true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).decode(type) }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { try decoder.inner(members["super"]) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

    private func member(_ key: Key) throws -> PlaceValueDecoder {
        guard let value = members[key.stringValue] else {
            let context = DecodingError.Context(codingPath: [key], debugDescription: "The place has no such value.")
            throw DecodingError.keyNotFound(key, context)
        }
        return try decoder.inner(value)
    }
}

private struct PlaceElements: UnkeyedDecodingContainer {
    let elements: [StateValue]
    let decoder: PlaceValueDecoder
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

    private func element() throws -> PlaceValueDecoder {
        try decoder.inner(isAtEnd ? nil : elements[currentIndex])
    }
    private mutating func next() throws -> PlaceValueDecoder {
        let element = try element()
        currentIndex += 1
        return element
    }
}

private struct PlaceScalar: SingleValueDecodingContainer {
    let decoder: PlaceValueDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { decoder.isNull }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
