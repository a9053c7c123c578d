public import KeyedArchive

/// Gives back what one object saved.
@MainActor
public final class StateDecoder {
    package let context: DecodingContext
    /// The path of the object; empty for the application.
    package let path: String
    private let state: [String: StateValue]
    private let storyboard: String?

    init(_ context: DecodingContext, path: String, state: [String: StateValue], storyboard: String? = nil) {
        self.context = context
        self.path = path
        self.state = state
        self.storyboard = storyboard
    }

    /// Whether something stands under a key; a nil that was saved does (row 32).
    public func containsValue(forKey key: String) -> Bool { value(forKey: key) != nil }

    /// What stands under a key, as it was saved.
    public func value(forKey key: String) -> StateValue? { context.reserved(key) ?? state[key] }

    /// True or false; false when there is nothing.
    public func decodeBool(forKey key: String) -> Bool {
        switch value(forKey: key) {
        case .boolean(let value): value
        case .integer(let value): value != 0
        case .unsigned(let value): value != 0
        case .real(let value): value != 0
        default: false
        }
    }

    /// A whole number, rounded towards zero (row 33); 0 when there is none that fits.
    public func decodeInt64(forKey key: String) -> Int64 {
        switch value(forKey: key) {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): value
        case .unsigned(let value): Int64(exactly: value) ?? 0
        case .real(let value): Int64(exactly: value.rounded(.towardZero)) ?? 0
        default: 0
        }
    }

    /// A whole number, rounded towards zero; 0 when there is none that fits.
    public func decodeInteger(forKey key: String) -> Int { Int(exactly: decodeInt64(forKey: key)) ?? 0 }
    /// A whole number, rounded towards zero; 0 when there is none that fits.
    public func decodeInt32(forKey key: String) -> Int32 { Int32(exactly: decodeInt64(forKey: key)) ?? 0 }

    /// A number; 0 when there is none.
    public func decodeDouble(forKey key: String) -> Double {
        switch value(forKey: key) {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .real(let value): value
        default: 0
        }
    }

    /// A number, rounded to the nearest; 0 when there is none.
    public func decodeFloat(forKey key: String) -> Float { Float(decodeDouble(forKey: key)) }

    /// A string; nil when there is none.
    public func decodeString(forKey key: String) -> String? {
        if case .string(let text)? = value(forKey: key) { text } else { nil }
    }

    /// Bytes; nil when there are none.
    public func decodeBytes(forKey key: String) -> [UInt8]? {
        if case .data(let bytes)? = value(forKey: key) { bytes } else { nil }
    }

    /// The object that a reference leads to: the same one wherever it is referred to (row 28). Nil when it is gone.
    public func decodeObject<Object>(of type: Object.Type = Object.self, forKey key: String) -> Object? {
        value(forKey: key).flatMap(object) as? Object
    }

    /// The objects that an array of references leads to, in order, without those that are gone (row 29).
    public func decodeObjects<Object>(of type: Object.Type = Object.self, forKey key: String) -> [Object] {
        guard case .array(let elements)? = value(forKey: key) else { return [] }
        return elements.compactMap { object($0) as? Object }
    }

    /// The objects that a dictionary of references leads to, without those that are gone (row 29).
    public func decodeObjectsByName<Object>(of type: Object.Type = Object.self, forKey key: String) -> [String: Object]
    {
        guard case .dictionary(let entries)? = value(forKey: key) else { return [:] }
        return entries.compactMapValues { object($0) as? Object }
    }

    /// The storyboard that the view controller was made from, if the app still has it (row 19).
    public var originalStoryboard: Storyboard? { storyboard.flatMap { context.storyboards[$0] } }

    /// The object that a value refers to.
    public func object(_ value: StateValue) -> (any StateRestoring)? {
        if case .object(let path) = value { context.objectAtPath(path) } else { nil }
    }
}
