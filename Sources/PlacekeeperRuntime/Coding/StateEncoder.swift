public import PlacekeeperArchive

/// Saves the state of one object. Each object gets its own coder, so equal keys of different objects do not clash (row
/// 26).
@MainActor
public final class StateEncoder {
    /// An object's saved state, shared by its coder and the coders of its key spaces.
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

    /// Returns a coder for a key space of the same object. A class designed for subclassing can use a key space to keep
    /// its keys apart from those of its subclasses. In the archive, the keys have the form `name/key`.
    public func keySpace(_ name: String) -> StateEncoder { StateEncoder(self, keySpace: name) }

    /// Saves a value. If the key is reserved (row 27), or if an archive cannot hold the value, nothing is saved and the
    /// restoration log reports the key.
    public func encode(_ value: StateValue, forKey key: String) {
        let place = prefix.isEmpty ? key : prefix + key
        guard !ReservedKey.isReserved(key) else { return context.lint(path, place, .reservedKey) }
        guard context.accepts(value, path: path, key: place) else { return }
        storage.state[place] = value
    }

    /// Saves a number, a string, bytes, an array or dictionary of these, or nil. A saved nil counts as a value.
    public func encode<Value: StateConvertible>(_ value: Value?, forKey key: String) {
        encode(value?.stateValue ?? .null, forKey: key)
    }

    /// Saves the raw value of an enumeration or option set, or nil.
    public func encode<Value: RawRepresentable>(_ value: Value?, forKey key: String)
    where Value.RawValue: StateConvertible {
        encode(value?.rawValue, forKey: key)
    }

    /// Saves a container's relationship, such as its stack, under a reserved key.
    package func encodeStructure(_ value: StateValue, forKey key: String) { storage.state[key] = value }
}

extension StateEncoder {
    /// Saves a reference to an object, or nil. The object itself is saved too (row 28).
    public func encode(_ object: (any StateRestoring)?, forKey key: String) {
        encode(reference(to: object), forKey: key)
    }

    /// Saves an array of references to objects (row 29).
    public func encode(_ objects: [any StateRestoring], forKey key: String) {
        encode(.array(objects.map(reference)), forKey: key)
    }

    /// Saves a dictionary of references to objects (row 29).
    public func encode(_ objects: [String: any StateRestoring], forKey key: String) {
        encode(.dictionary(objects.mapValues(reference)), forKey: key)
    }

    /// Adds an object to the objects to save, and returns a value that refers to it, for use inside an array or
    /// dictionary. `.null` if the object is nil or cannot be saved.
    public func reference(to object: (any StateRestoring)?) -> StateValue {
        guard let object, let path = context.pathForReference(object) else { return .null }
        return .object(path: path)
    }
}
