public import KeyedArchive

/// A type whose values can be saved as they are: numbers, strings, bytes, and arrays and dictionaries of those. An app's
/// own small types may adopt it; larger ones save their properties under keys, or are `Codable`.
public protocol StateConvertible {
    /// The value as it is saved.
    var stateValue: StateValue { get }

    /// Takes back a value; nil when it is something else. Numbers are read as any other type of number that can hold
    /// them (seed row 33).
    init?(stateValue: StateValue)
}

extension StateValue: StateConvertible {
    /// Itself.
    public var stateValue: StateValue { self }
    /// Itself.
    public init?(stateValue: StateValue) { self = stateValue }
}

extension Bool: StateConvertible {
    /// True or false.
    public var stateValue: StateValue { .boolean(self) }
    /// A number is true unless it is zero.
    public init?(stateValue: StateValue) {
        switch stateValue {
        case .boolean(let value): self = value
        case .integer(let value): self = value != 0
        case .unsigned(let value): self = value != 0
        case .real(let value): self = value != 0
        default: return nil
        }
    }
}

extension StateConvertible where Self: FixedWidthInteger {
    /// A whole number.
    public var stateValue: StateValue {
        Int64(exactly: self).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: self))
    }
    /// A number, rounded towards zero; nil when it does not fit.
    public init?(stateValue: StateValue) {
        switch stateValue {
        case .boolean(let value): self = value ? 1 : 0
        case .integer(let value): self.init(exactly: value)
        case .unsigned(let value): self.init(exactly: value)
        case .real(let value): self.init(exactly: value.rounded(.towardZero))
        default: return nil
        }
    }
}

extension Int: StateConvertible {}
extension Int8: StateConvertible {}
extension Int16: StateConvertible {}
extension Int32: StateConvertible {}
extension Int64: StateConvertible {}
extension UInt: StateConvertible {}
extension UInt8: StateConvertible {}
extension UInt16: StateConvertible {}
extension UInt32: StateConvertible {}
extension UInt64: StateConvertible {}

extension StateConvertible where Self: BinaryFloatingPoint {
    /// A floating-point number.
    public var stateValue: StateValue { .real(Double(self)) }
    /// A number, rounded to the nearest that the type has.
    public init?(stateValue: StateValue) {
        switch stateValue {
        case .boolean(let value): self = value ? 1 : 0
        case .integer(let value): self.init(value)
        case .unsigned(let value): self.init(value)
        case .real(let value): self.init(value)
        default: return nil
        }
    }
}

extension Double: StateConvertible {}
extension Float: StateConvertible {}

extension String: StateConvertible {
    /// A string.
    public var stateValue: StateValue { .string(self) }
    /// A string.
    public init?(stateValue: StateValue) {
        guard case .string(let text) = stateValue else { return nil }
        self = text
    }
}

extension Array: StateConvertible where Element: StateConvertible {
    /// An array; of bytes, data.
    public var stateValue: StateValue {
        if let bytes = self as? [UInt8], Element.self == UInt8.self { return .data(bytes) }
        return .array(map(\.stateValue))
    }
    /// An array or data; nil when one of the elements is something else.
    public init?(stateValue: StateValue) {
        switch stateValue {
        case .data(let bytes):
            guard let bytes = bytes as? Self else { return nil }
            self = bytes
        case .array(let values):
            self = []
            reserveCapacity(values.count)
            for value in values {
                guard let element = Element(stateValue: value) else { return nil }
                append(element)
            }
        default: return nil
        }
    }
}

extension Set: StateConvertible where Element: StateConvertible & Comparable {
    /// An array of the elements in order, so that equal sets are saved equally.
    public var stateValue: StateValue { sorted().stateValue }
    /// An array; nil when one of the elements is something else.
    public init?(stateValue: StateValue) {
        guard let elements = [Element](stateValue: stateValue) else { return nil }
        self.init(elements)
    }
}

extension Dictionary: StateConvertible where Key == String, Value: StateConvertible {
    /// A dictionary.
    public var stateValue: StateValue { .dictionary(mapValues(\.stateValue)) }
    /// A dictionary; nil when one of the values is something else.
    public init?(stateValue: StateValue) {
        guard case .dictionary(let values) = stateValue else { return nil }
        self = [:]
        reserveCapacity(values.count)
        for (key, value) in values {
            guard let value = Value(stateValue: value) else { return nil }
            self[key] = value
        }
    }
}
