public import KeyedArchive

/// Takes what one object saves. Each object has its own, so that equal keys never clash (row 26).
@MainActor
public final class StateEncoder {
    package let context: EncodingContext
    /// The path of the object; empty for the application.
    package let path: String
    private(set) var state: [String: StateValue] = [:]

    init(_ context: EncodingContext, path: String) {
        self.context = context
        self.path = path
    }

    /// Saves a value. Reserved keys are refused (row 27).
    public func encode(_ value: StateValue, forKey key: String) {
        guard !ReservedKey.all.contains(key) else { return context.lint(path, key, .reservedKey) }
        state[key] = value
    }

    /// Saves true or false.
    public func encode(_ value: Bool, forKey key: String) { encode(.boolean(value), forKey: key) }
    /// Saves a whole number.
    public func encode(_ value: Int, forKey key: String) { encode(.integer(Int64(value)), forKey: key) }
    /// Saves a whole number.
    public func encode(_ value: Int32, forKey key: String) { encode(.integer(Int64(value)), forKey: key) }
    /// Saves a whole number.
    public func encode(_ value: Int64, forKey key: String) { encode(.integer(value), forKey: key) }
    /// Saves a floating-point number.
    public func encode(_ value: Float, forKey key: String) { encode(.real(Double(value)), forKey: key) }
    /// Saves a floating-point number.
    public func encode(_ value: Double, forKey key: String) { encode(.real(value), forKey: key) }
    /// Saves a string, or that there is none.
    public func encode(_ value: String?, forKey key: String) {
        encode(value.map { .string($0) } ?? .null, forKey: key)
    }
    /// Saves bytes, or that there are none.
    public func encode(_ value: [UInt8]?, forKey key: String) { encode(value.map { .data($0) } ?? .null, forKey: key) }

    /// Saves a reference to an object, which is then saved itself (row 28), or that there is none.
    public func encode(_ object: (any StateRestoring)?, forKey key: String) {
        encode(reference(to: object), forKey: key)
    }

    /// Saves references to objects, in order (row 29).
    public func encode(_ objects: [any StateRestoring], forKey key: String) {
        encode(.array(objects.map(reference)), forKey: key)
    }

    /// Saves references to objects by name (row 29).
    public func encode(_ objects: [String: any StateRestoring], forKey key: String) {
        encode(.dictionary(objects.mapValues(reference)), forKey: key)
    }

    /// A reference to an object as a value, so that it may stand in another; nil where it cannot be saved.
    public func reference(to object: (any StateRestoring)?) -> StateValue {
        guard let object, let path = context.pathForReference(object) else { return .null }
        return .object(path: path)
    }

    /// Saves how a container holds others: under keys that no app can take.
    func encodeStructure(_ value: StateValue, forKey key: String) { state[key] = value }
}
