import Foundation
import PlacekeeperArchive

/// The coded form of a value in a place: the value, and the items that it refers to.
struct PlaceValueForm {
    /// The value. An item is `.reference`, with an index in `items`. Nil if the whole value was refused.
    var value: StateValue?
    /// The items, in the order in which they were encoded.
    var items: [ItemUse] = []
    /// The members of the value, or of its case, whose types a place can't save.
    var refused: [String] = []
    /// The secrets that were left out.
    var denied: Set<String> = []

    init(_ value: some Encodable) {
        let root = PlaceEncodingNode()
        do {
            try root.write(value)
        } catch {
            // The members that were encoded before are kept. The status reports what is left out.
            refused = [String(describing: type(of: value))]
        }
        refused += root.dropRefused()
        var order: [Int] = []
        self.value = root.value?.numberingItems(&order)
        items = order.map { root.context.items[$0] }
        denied = root.context.denied
    }
}

/// A node in the coded form of a value: the value, a member, or an element of an array. A value that a place can't save
/// makes its node refused, and never ends the process.
final class PlaceEncodingNode: Encoder {
    private enum Content {
        case none
        case refused
        case value(StateValue)
        case elements([PlaceEncodingNode])
        case members([String: PlaceEncodingNode])
    }

    /// The items of a value.
    fileprivate final class Context {
        var items: [ItemUse] = []
        /// The names of secrets among the keys of dictionaries.
        var denied: Set<String> = []
    }

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var content = Content.none
    fileprivate let context: Context
    /// The number of nested levels that are still allowed. Each call of `write(_:)` takes one, too.
    private var budget: Int

    fileprivate init(context: Context = Context(), budget: Int = 64) {
        self.context = context
        self.budget = budget
        if budget <= 0 { content = .refused }
    }

    /// The value. Nil if it was refused, or if nothing was written.
    fileprivate var value: StateValue? {
        switch content {
        case .value(let value): return value
        case .elements(let elements):
            let values = elements.compactMap(\.value)
            return values.count == elements.count ? .array(values) : nil
        case .members(let members):
            let values = members.compactMapValues(\.value)
            return values.count == members.count ? .dictionary(values) : nil
        case .none, .refused: return nil
        }
    }

    /// Drops the refused members of the value or, for the case of an enum, of its associated values.
    /// - Returns: Their names.
    fileprivate func dropRefused(isCase: Bool = true) -> [String] {
        guard case .members(var members) = content else { return [] }
        if isCase, members.count == 1, let inner = members.first?.value, case .members = inner.content {
            return inner.dropRefused(isCase: false)
        }
        let refused = members.filter { $0.value.value == nil }.keys.sorted()
        for name in refused { members[name] = nil }
        content = .members(members)
        return refused
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        switch content {
        case .members: break
        case .none: content = .members([:])
        default: content = .refused
        }
        return KeyedEncodingContainer(PlaceMembers(node: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        switch content {
        case .elements: break
        case .none: content = .elements([])
        default: content = .refused
        }
        return PlaceElements(node: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { PlaceScalar(node: self) }

    /// Writes a reference to an item.
    func write(_ item: ItemUse) {
        guard case .none = content else { return content = .refused }
        context.items.append(item)
        content = .value(.reference(context.items.count - 1))
    }

    fileprivate func write(_ value: some Encodable) throws {
        budget -= 1
        if case .none = content, budget > 0 {
            if let scalar = StateValue(scalar: value) { return content = .value(scalar) }
            // A type that encodes itself as one value calls this method again, until the budget is used up.
            try value.encode(to: self)
            return (value as? any UnorderedValue).map { sort(by: type(of: $0).elementsInGroup) } ?? ()
        }
        content = .refused
        throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "A place cannot save it."))
    }

    /// Sorts the elements of a set or a dictionary, because their order differs between processes.
    private func sort(by size: Int) {
        guard case .elements(let elements) = content, elements.count % size == 0 else { return }
        let groups = stride(from: 0, to: elements.count, by: size).map { Array(elements[$0..<$0 + size]) }
        // A dictionary may have a secret's name as a key, too.
        let kept = groups.filter { group in
            guard size == 2, case .string(let name)? = group[0].value else { return true }
            guard DenyList.standard.denies(name, isDeclared: true) else { return true }
            context.denied.insert(name)
            return false
        }
        let sorted = kept.map { ($0, $0[0].sortingText) }.sorted { $0.1 < $1.1 }
        content = .elements(sorted.flatMap(\.0))
    }

    /// A text by which equal values of all processes are sorted alike.
    private var sortingText: String {
        switch value {
        case .reference(let index)?: "\(context.items[index].list) \(context.items[index].id?.text ?? "")"
        case .integer(let number)?: number < 0 ? "-\(number)" : "\(String(number).utf8.count) \(number)"
        case let value?: "\(value)"
        case nil: ""
        }
    }

    /// Writes a member or an element. If it can't be saved, the others are still saved.
    fileprivate func writePart(_ value: some Encodable) {
        do { try write(value) } catch {
            content = .refused
        }
    }

    fileprivate func writeNull() {
        if case .none = content { content = .value(.null) } else { content = .refused }
    }

    fileprivate func member(_ key: String) -> PlaceEncodingNode {
        let child = PlaceEncodingNode(context: context, budget: budget - 1)
        guard case .members(var members) = content else { return child }
        content = .none  // keeps the dictionary unique
        members[key] = child
        content = .members(members)
        return child
    }

    fileprivate func element() -> PlaceEncodingNode {
        let child = PlaceEncodingNode(context: context, budget: budget - 1)
        guard case .elements(var elements) = content else { return child }
        content = .none  // keeps the array unique
        elements.append(child)
        content = .elements(elements)
        return child
    }

    fileprivate var elementCount: Int { if case .elements(let elements) = content { elements.count } else { 0 } }
}

/// A collection whose elements are coded in an order that differs between processes.
private protocol UnorderedValue {
    /// The number of encoded elements that belong together.
    static var elementsInGroup: Int { get }
}

extension Set: UnorderedValue { static var elementsInGroup: Int { 1 } }
/// A dictionary with keys that aren't strings is coded as keys and values in turn.
extension Dictionary: UnorderedValue { static var elementsInGroup: Int { 2 } }

extension StateValue {
    /// Numbers the items in the order in which they appear.
    /// - Parameter order: The earlier numbers, in the new order.
    fileprivate func numberingItems(_ order: inout [Int]) -> StateValue {
        switch self {
        case .reference(let index):
            order.append(index)
            return .reference(order.count - 1)
        case .array(let elements): return .array(elements.map { $0.numberingItems(&order) })
        case .dictionary(let members):
            var numbered: [String: StateValue] = [:]
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                numbered[key] = value.numberingItems(&order)
            }
            return .dictionary(numbered)
        default: return self
        }
    }

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
        // NaN isn't equal to itself, so a decoder refuses it.
        case let value as Double where !value.isNaN: self = .real(value)
        case let value as Float where !value.isNaN: self = .real(Double(value))
        case let value as String: self = .string(value)
        case let value as Data: self = .data(Array(value))
        case let value as Date: self = .date(value.timeIntervalSinceReferenceDate)
        default: return nil
        }
    }
}

private struct PlaceMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: PlaceEncodingNode
    var codingPath: [any CodingKey] { [] }

    /// A nil value has no member.
    func encodeNil(forKey key: Key) {}
    func encode(_ value: some Encodable, forKey key: Key) throws { node.member(key.stringValue).writePart(value) }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { node.member(key.stringValue).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        node.member(key.stringValue).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { node.member("super") }
    func superEncoder(forKey key: Key) -> any Encoder { node.member(key.stringValue) }
}

private struct PlaceElements: UnkeyedEncodingContainer {
    let node: PlaceEncodingNode
    var codingPath: [any CodingKey] { [] }
    var count: Int { node.elementCount }

    func encodeNil() { node.element().writeNull() }
    func encode(_ value: some Encodable) throws { node.element().writePart(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        node.element().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.element().unkeyedContainer() }
    func superEncoder() -> any Encoder { node.element() }
}

private struct PlaceScalar: SingleValueEncodingContainer {
    let node: PlaceEncodingNode
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { node.writeNull() }
    func encode(_ value: some Encodable) throws { try node.write(value) }
}
