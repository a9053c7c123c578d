public import KeyedArchive

/// Gives back what one object saved.
@MainActor
public final class StateDecoder {
    package let context: DecodingContext
    /// The path of the object; empty for the application.
    package let path: String
    private let state: [String: StateValue]
    private let storyboard: String?
    private let prefix: String

    init(
        _ context: DecodingContext, path: String, state: [String: StateValue], storyboard: String? = nil,
        prefix: String = ""
    ) {
        self.context = context
        self.path = path
        self.state = state
        self.storyboard = storyboard
        self.prefix = prefix
    }

    /// A coder for what the same object saved with `StateEncoder.keySpace(_:)` of that name.
    public func keySpace(_ name: String) -> StateDecoder {
        StateDecoder(context, path: path, state: state, storyboard: storyboard, prefix: prefix + name + "/")
    }

    /// Whether something stands under a key; a nil that was saved does (row 32).
    public func containsValue(forKey key: String) -> Bool { value(forKey: key) != nil }

    /// What stands under a key, as it was saved. Reserved keys tell of who saved it (row 27); that of the storyboard gives
    /// its name.
    public func value(forKey key: String) -> StateValue? {
        if ReservedKey.isReserved(key) {
            if key == ReservedKey.storyboard { return storyboard.map { .string($0) } }
            if let value = context.reserved(key) { return value }
            // What containers save is no part of a key space.
            return state[key]
        }
        return state[prefix.isEmpty ? key : prefix + key]
    }

    /// A value of a type; nil when there is none or it is something else, out of the type's range for instance.
    public func decode<Value: StateConvertible>(_ type: Value.Type, forKey key: String) -> Value? {
        value(forKey: key).flatMap { Value(stateValue: $0) }
    }

    /// An enumeration or option by its raw value; nil when there is none that the type knows.
    public func decode<Value: RawRepresentable>(_ type: Value.Type, forKey key: String) -> Value?
    where Value.RawValue: StateConvertible {
        decode(Value.RawValue.self, forKey: key).flatMap { Value(rawValue: $0) }
    }

    /// True or false, any number but zero being true; false when there is nothing.
    public func decodeBool(forKey key: String) -> Bool { decode(Bool.self, forKey: key) ?? false }
    /// A whole number, rounded towards zero (row 33); 0 when there is none that fits.
    public func decodeInteger(forKey key: String) -> Int { decode(Int.self, forKey: key) ?? 0 }
    /// A whole number, rounded towards zero; 0 when there is none that fits.
    public func decodeInt32(forKey key: String) -> Int32 { decode(Int32.self, forKey: key) ?? 0 }
    /// A whole number, rounded towards zero; 0 when there is none that fits.
    public func decodeInt64(forKey key: String) -> Int64 { decode(Int64.self, forKey: key) ?? 0 }
    /// A number; 0 when there is none.
    public func decodeDouble(forKey key: String) -> Double { decode(Double.self, forKey: key) ?? 0 }
    /// A number, rounded to the nearest; 0 when there is none.
    public func decodeFloat(forKey key: String) -> Float { decode(Float.self, forKey: key) ?? 0 }
    /// A string; nil when there is none.
    public func decodeString(forKey key: String) -> String? { decode(String.self, forKey: key) }
    /// Bytes; nil when there are none.
    public func decodeBytes(forKey key: String) -> [UInt8]? { decode([UInt8].self, forKey: key) }

    /// The storyboard that the view controller was made from, if the app still has it (row 19).
    public var originalStoryboard: Storyboard? { storyboard.flatMap { context.storyboards[$0] } }
}

extension StateDecoder {
    /// The object that a reference leads to, or that was saved by copy: the same one wherever it is referred to (row 28).
    /// Nil when it is gone.
    public func decodeObject<Object>(of type: Object.Type = Object.self, forKey key: String) -> Object? {
        value(forKey: key).flatMap(typedObject)
    }

    /// The objects that an array of references leads to, in order, without those that are gone (row 29).
    public func decodeObjects<Object>(of type: Object.Type = Object.self, forKey key: String) -> [Object] {
        guard case .array(let elements)? = value(forKey: key) else { return [] }
        return elements.compactMap(typedObject)
    }

    /// The objects that a dictionary of references leads to, without those that are gone (row 29).
    public func decodeObjectsByName<Object>(of type: Object.Type = Object.self, forKey key: String) -> [String: Object]
    {
        guard case .dictionary(let entries)? = value(forKey: key) else { return [:] }
        return entries.compactMapValues(typedObject)
    }

    /// The restorable object that a value refers to.
    public func object(_ value: StateValue) -> (any StateRestoring)? {
        if case .object(let path) = value { context.objectAtPath(path) } else { nil }
    }

    private func typedObject<Object>(_ value: StateValue) -> Object? {
        // Cast only what exists: nil itself is cast to `AnyObject`.
        anyObject(value).flatMap { $0 as? Object }
    }

    /// The object that a value refers to, or that was saved by copy.
    func anyObject(_ value: StateValue) -> AnyObject? {
        switch value {
        case .object(let path): context.objectAtPath(path)
        case .instance(let index): context.copy(at: index)
        default: nil
        }
    }
}
