public import KeyedArchive

/// Takes what one object saves. Each object has its own, so that equal keys never clash (row 26).
@MainActor
public final class StateEncoder {
    /// What is saved, which coders of key spaces share.
    private final class Storage {
        var state: [String: StateValue] = [:]
    }

    package let context: EncodingContext
    /// The path of the object; empty for the application.
    package let path: String
    private let storage: Storage
    private let prefix: String
    var state: [String: StateValue] { storage.state }

    init(_ context: EncodingContext, path: String) {
        self.context = context
        self.path = path
        storage = Storage()
        prefix = ""
    }

    private init(_ coder: StateEncoder, keySpace: String) {
        context = coder.context
        path = coder.path
        storage = coder.storage
        prefix = coder.prefix + keySpace + "/"
    }

    /// A coder for the same object with keys of its own: a class that is meant to be inherited from keeps them apart from
    /// those of classes that it does not know. Its keys stand in the archive as `name/key`.
    public func keySpace(_ name: String) -> StateEncoder { StateEncoder(self, keySpace: name) }

    /// Saves a value. Reserved keys are refused (row 27), and so is what an archive cannot hold: the log tells.
    public func encode(_ value: StateValue, forKey key: String) {
        let place = prefix.isEmpty ? key : prefix + key
        guard !ReservedKey.isReserved(key) else { return context.lint(path, place, .reservedKey) }
        guard context.accepts(value, path: path, key: place) else { return }
        storage.state[place] = value
    }

    /// Saves a number, string, bytes, or an array or dictionary of those; or that there is none, which is not the same as
    /// saving nothing.
    public func encode<Value: StateConvertible>(_ value: Value?, forKey key: String) {
        encode(value?.stateValue ?? .null, forKey: key)
    }

    /// Saves the raw value of an enumeration or option, or that there is none.
    public func encode<Value: RawRepresentable>(_ value: Value?, forKey key: String)
    where Value.RawValue: StateConvertible {
        encode(value?.rawValue, forKey: key)
    }

    /// Saves how a container holds others: under keys that no app can take.
    package func encodeStructure(_ value: StateValue, forKey key: String) { storage.state[key] = value }
}

extension StateEncoder {
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
}
