import Foundation
import PlacekeeperArchive

/// The coded form of a route: the name of an enum's case, and its associated values by label.
struct PlaceRouteForm {
    /// The name of the case.
    var name: String
    /// The associated values by label, without nil values.
    var values: [String: StateValue] = [:]
    /// The labels of the associated values whose types a place can't save.
    var refused: [String] = []

    /// Nil if the coded form is not the case of an enum.
    init?(_ route: some Encodable) {
        let root = PlaceRouteEncoder()
        // If a value throws, the values before it are kept, and it is refused.
        try? route.encode(to: root)
        switch root.content {
        case .value(.string(let name)): self.name = name
        case .members(let members):
            guard let member = members.first, members.count == 1 else { return nil }
            name = member.key
            guard case .members(let values) = member.value.content else {
                refused = [name]
                return
            }
            self.values = values.compactMapValues(\.stateValue).filter { $0.value != .null }
            refused = values.filter { $0.value.stateValue == nil }.keys.sorted()
        default: return nil
        }
    }
}

/// A node in a route's coded form: the route, its case, an associated value, or an element of an array. Only the route
/// and the case may have members. A value that a place can't save makes its node refused, and never ends the process.
final class PlaceRouteEncoder: Encoder {
    enum Content {
        case none
        case refused
        case value(StateValue)
        case elements([PlaceRouteEncoder])
        case members([String: PlaceRouteEncoder])
    }

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    fileprivate(set) var content = Content.none
    private let level: Int
    /// The number of nested levels that are still allowed. Each call of `write(_:)` takes one, too.
    private var budget: Int

    init(level: Int = 0, budget: Int = 32) {
        self.level = level
        self.budget = budget
        if budget <= 0 { content = .refused }
    }

    /// The value. Nil if it was refused, or if nothing was written.
    var stateValue: StateValue? {
        switch content {
        case .value(let value): return value
        case .elements(let elements):
            let values = elements.compactMap(\.stateValue)
            return values.count == elements.count ? .array(values) : nil
        case .none, .refused, .members: return nil
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        switch content {
        case .members: break
        case .none where level < 2: content = .members([:])
        default: content = .refused
        }
        return KeyedEncodingContainer(PlaceRouteMembers(node: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        switch content {
        case .elements: break
        case .none: content = .elements([])
        default: content = .refused
        }
        return PlaceRouteElements(node: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { PlaceRouteValue(node: self) }

    fileprivate func write(_ value: some Encodable) throws {
        budget -= 1
        if case .none = content, budget > 0 {
            if let scalar = StateValue(scalar: value) { return content = .value(scalar) }
            // A type that encodes itself as one value calls this method again, until the budget is used up.
            return try value.encode(to: self)
        }
        content = .refused
        throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "A place cannot save it."))
    }

    fileprivate func writeNull() {
        if case .none = content { content = .value(.null) } else { content = .refused }
    }

    fileprivate func member(_ key: String) -> PlaceRouteEncoder {
        let child = PlaceRouteEncoder(level: level + 1, budget: budget - 1)
        guard case .members(var members) = content else { return child }
        members[key] = child
        content = .members(members)
        return child
    }

    fileprivate func element() -> PlaceRouteEncoder {
        let child = PlaceRouteEncoder(level: level + 1, budget: budget - 1)
        guard case .elements(var elements) = content else { return child }
        content = .none  // keeps the array unique
        elements.append(child)
        content = .elements(elements)
        return child
    }
}

extension StateValue {
    /// Nil if the type isn't a scalar.
    fileprivate init?(scalar value: some Encodable) {
        switch value {
        case let value as Bool: self = .boolean(value)
        case let value as any FixedWidthInteger:
            guard
                let number = Int64(exactly: value).map(StateValue.integer)
                    ?? UInt64(exactly: value).map(StateValue.unsigned)
            else { return nil }
            self = number
        case let value as Double: self = .real(value)
        case let value as Float: self = .real(Double(value))
        case let value as String: self = .string(value)
        case let value as Data: self = .data(Array(value))
        case let value as Date: self = .date(value.timeIntervalSinceReferenceDate)
        default: return nil
        }
    }
}

private struct PlaceRouteMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: PlaceRouteEncoder
    var codingPath: [any CodingKey] { [] }

    /// A nil value has no member.
    func encodeNil(forKey key: Key) {}
    func encode(_ value: some Encodable, forKey key: Key) throws { try node.member(key.stringValue).write(value) }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { node.member(key.stringValue).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        node.member(key.stringValue).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { node.member("super") }
    func superEncoder(forKey key: Key) -> any Encoder { node.member(key.stringValue) }
}

private struct PlaceRouteElements: UnkeyedEncodingContainer {
    let node: PlaceRouteEncoder
    var codingPath: [any CodingKey] { [] }
    var count: Int { if case .elements(let elements) = node.content { elements.count } else { 0 } }

    func encodeNil() { node.element().writeNull() }
    func encode(_ value: some Encodable) throws { try node.element().write(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        node.element().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.element().unkeyedContainer() }
    func superEncoder() -> any Encoder { node.element() }
}

private struct PlaceRouteValue: SingleValueEncodingContainer {
    let node: PlaceRouteEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { node.writeNull() }
    func encode(_ value: some Encodable) throws { try node.write(value) }
}
