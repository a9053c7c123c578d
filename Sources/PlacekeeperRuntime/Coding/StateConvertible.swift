public import PlacekeeperArchive

/// A type whose values can be saved directly, for example a number, a string, bytes, or an array or dictionary of
/// these. Small types of your own can conform. A larger type should save each property under its own key, or be
/// `Codable`.
public protocol StateConvertible {
    /// The form in which the value is saved.
    var stateValue: StateValue { get }

    /// Creates a value from its saved form. `nil` if the saved value has another type. A number can be read as any
    /// number type that can represent it (seed row 33).
    init?(stateValue: StateValue)
}

extension StateValue: StateConvertible {
    /// The value itself.
    public var stateValue: StateValue { self }
    /// Uses the saved value unchanged.
    public init?(stateValue: StateValue) { self = stateValue }
}

extension Bool: StateConvertible {
    /// The value as a Boolean.
    public var stateValue: StateValue { .boolean(self) }
    /// Creates a Boolean. Any number except zero is true.
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
    /// The value as an integer.
    public var stateValue: StateValue {
        Int64(exactly: self).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: self))
    }
    /// Creates an integer from a number, rounding toward zero, or from a Boolean (1 or 0). `nil` for any other type, or
    /// if the number is out of range.
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
    /// The value as a floating-point number.
    public var stateValue: StateValue { .real(Double(self)) }
    /// Creates a value from a number, rounding to the nearest representable value.
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
    /// The value as a string.
    public var stateValue: StateValue { .string(self) }
    /// Creates a string. Nil if the value is not a string.
    public init?(stateValue: StateValue) {
        guard case .string(let text) = stateValue else { return nil }
        self = text
    }
}

extension Array: StateConvertible where Element: StateConvertible {
    /// The array, or data if the elements are bytes.
    public var stateValue: StateValue {
        if let bytes = self as? [UInt8], Element.self == UInt8.self { return .data(bytes) }
        return .array(map(\.stateValue))
    }
    /// Creates an array from a saved array, or an array of bytes from saved data. `nil` if the saved value or one of
    /// its elements has another type.
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
    /// The elements as a sorted array, so equal sets have the same saved form.
    public var stateValue: StateValue { sorted().stateValue }
    /// Creates a set from a saved array. Nil if the saved value or one of its elements has another type.
    public init?(stateValue: StateValue) {
        guard let elements = [Element](stateValue: stateValue) else { return nil }
        self.init(elements)
    }
}

extension Dictionary: StateConvertible where Key == String, Value: StateConvertible {
    /// The value as a dictionary.
    public var stateValue: StateValue { .dictionary(mapValues(\.stateValue)) }
    /// Creates a dictionary. Nil if the saved value is not a dictionary, or if one of its values has another type.
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
