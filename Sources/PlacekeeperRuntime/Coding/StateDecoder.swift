public import PlacekeeperArchive

/// Reads the saved state of one object.
@MainActor
public final class StateDecoder {
    package let context: DecodingContext
    /// The object's restoration path. Empty for the application. For a copy, the class name.
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

    /// Returns a coder for the values that the same object saved in the key space `name` (see
    /// `StateEncoder.keySpace(_:)`).
    public func keySpace(_ name: String) -> StateDecoder {
        StateDecoder(context, path: path, state: state, storyboard: storyboard, prefix: prefix + name + "/")
    }

    /// The keys saved in this key space, sorted, without reserved keys.
    public var keys: [String] {
        state.keys.filter { $0.hasPrefix(prefix) && !ReservedKey.isReserved($0) }
            .map { String($0.dropFirst(prefix.count)) }.sorted()
    }

    /// Returns whether a value was saved under a key. A saved nil counts as a value (row 32).
    public func containsValue(forKey key: String) -> Bool { value(forKey: key) != nil }

    /// Returns the value under a key. For a reserved key, this is the archive's bundle version, system version, idiom
    /// or timestamp (row 27), the storyboard's name, or a relationship that a container saved.
    public func value(forKey key: String) -> StateValue? {
        if ReservedKey.isReserved(key) {
            if key == ReservedKey.storyboard { return storyboard.map { .string($0) } }
            if let value = context.reserved(key) { return value }
            // Containers save their relationships outside all key spaces, so there is no prefix.
            return state[key]
        }
        return state[prefix.isEmpty ? key : prefix + key]
    }

    /// Returns a value of the given type. `nil` if no value was saved, or if it has another type or is out of range.
    public func decode<Value: StateConvertible>(_ type: Value.Type, forKey key: String) -> Value? {
        value(forKey: key).flatMap { Value(stateValue: $0) }
    }

    /// Returns a value that was saved as its raw value, such as an enumeration case. `nil` if no raw value of this type
    /// was saved, or if `Value` has no case for it.
    public func decode<Value: RawRepresentable>(_ type: Value.Type, forKey key: String) -> Value?
    where Value.RawValue: StateConvertible {
        decode(Value.RawValue.self, forKey: key).flatMap { Value(rawValue: $0) }
    }

    /// Returns a Boolean. Any number except zero is true. False if neither a Boolean nor a number was saved.
    public func decodeBool(forKey key: String) -> Bool { decode(Bool.self, forKey: key) ?? false }
    /// Returns an integer, rounding toward zero. 0 if no number was saved, or if the number is out of range (row 33).
    public func decodeInteger(forKey key: String) -> Int { decode(Int.self, forKey: key) ?? 0 }
    /// Returns an integer, rounding toward zero. 0 if no number was saved, or if the number is out of range.
    public func decodeInt32(forKey key: String) -> Int32 { decode(Int32.self, forKey: key) ?? 0 }
    /// Returns an integer, rounding toward zero. 0 if no number was saved, or if the number is out of range.
    public func decodeInt64(forKey key: String) -> Int64 { decode(Int64.self, forKey: key) ?? 0 }
    /// Returns a number, or 0 if no number was saved.
    public func decodeDouble(forKey key: String) -> Double { decode(Double.self, forKey: key) ?? 0 }
    /// Returns a number, rounded to the nearest representable value. 0 if no number was saved.
    public func decodeFloat(forKey key: String) -> Float { decode(Float.self, forKey: key) ?? 0 }
    /// Returns a string. Nil if no string was saved.
    public func decodeString(forKey key: String) -> String? { decode(String.self, forKey: key) }
    /// Returns bytes. Nil if no bytes were saved.
    public func decodeBytes(forKey key: String) -> [UInt8]? { decode([UInt8].self, forKey: key) }

    /// The storyboard that made the view controller (row 19). `nil` if no storyboard made it, or if the app does not
    /// have this storyboard.
    public var originalStoryboard: Storyboard? { storyboard.flatMap { context.storyboards[$0] } }
}

extension StateDecoder {
    /// Returns the object that was saved under a key, by reference or by copy. Keys that refer to the same saved object
    /// return the same object (row 28). `nil` if the object does not exist or has another type.
    public func decodeObject<Object>(of type: Object.Type = Object.self, forKey key: String) -> Object? {
        value(forKey: key).flatMap(typedObject)
    }

    /// Returns the objects in a saved array of references or copies, in order. Objects that do not exist or have
    /// another type are left out (row 29).
    public func decodeObjects<Object>(of type: Object.Type = Object.self, forKey key: String) -> [Object] {
        guard case .array(let elements)? = value(forKey: key) else { return [] }
        return elements.compactMap(typedObject)
    }

    /// Returns the objects in a saved dictionary of references or copies. Objects that do not exist or have another
    /// type are left out (row 29).
    public func decodeObjectsByName<Object>(of type: Object.Type = Object.self, forKey key: String) -> [String: Object]
    {
        guard case .dictionary(let entries)? = value(forKey: key) else { return [:] }
        return entries.compactMapValues(typedObject)
    }

    /// Returns the restorable object that a value refers to.
    public func object(_ value: StateValue) -> (any StateRestoring)? {
        if case .object(let path) = value { context.objectAtPath(path) } else { nil }
    }

    private func typedObject<Object>(_ value: StateValue) -> Object? {
        // Checks for nil first, because casting nil to `AnyObject` would succeed.
        anyObject(value).flatMap { $0 as? Object }
    }

    /// Returns the object that a value refers to: a restorable object, or an object saved by copy.
    func anyObject(_ value: StateValue) -> AnyObject? {
        switch value {
        case .object(let path): context.objectAtPath(path)
        case .instance(let index): context.copy(at: index)
        default: nil
        }
    }
}
