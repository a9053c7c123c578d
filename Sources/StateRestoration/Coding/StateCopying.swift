public import KeyedArchive

/// An object that is not part of the interface, and is saved by copy with the objects that refer to it. Examples are
/// an unsaved draft and the settings of a search (row 28).
///
/// Several objects may refer to the same copy, and copies may refer to each other, even in a circle. Each copy is
/// restored as one object. List the class with `RestorationEnvironment.addCopies(of:)`, because only objects of
/// listed classes are restored.
@MainActor
public protocol StateCopying: AnyObject {
    /// The class's name in archives. The default is the type's name with its module.
    static var copyClassName: String { get }

    /// Creates an object. `decodeState(with:)` restores the object's saved state later.
    init()

    /// Saves the object's state.
    func encodeState(with coder: StateEncoder)

    /// Restores the state that `encodeState(with:)` saved. The coder returns the other objects that this state refers
    /// to, but possibly before these objects have decoded their own state.
    func decodeState(with coder: StateDecoder) throws
}

extension StateCopying {
    /// The type's name with its module.
    public static var copyClassName: String { ClassName.of(Self.self) }
}

/// The functions that make objects of a listed class and decode their saved state.
struct CopyableClass {
    var make: @MainActor (StateDecoder) throws -> AnyObject?
    var decode: @MainActor (AnyObject, StateDecoder) throws -> Void = { _, _ in }
}

extension RestorationEnvironment {
    /// Lists a class whose objects are saved by copy. The runtime restores only copies whose class is listed.
    public func addCopies<Copy: StateCopying>(of type: Copy.Type) {
        copyableClasses.add(
            CopyableClass(make: { _ in Copy() }, decode: { try ($0 as? Copy)?.decodeState(with: $1) }),
            for: type, named: type.copyClassName)
    }
}

extension StateEncoder {
    /// Saves an object by copy, or saves nil. An object that several objects refer to is saved once.
    public func encode(_ object: (any StateCopying)?, forKey key: String) { encode(copy(of: object), forKey: key) }

    /// Saves an array of objects by copy.
    public func encode(_ objects: [any StateCopying], forKey key: String) {
        encode(.array(objects.map(copy)), forKey: key)
    }

    /// Saves a dictionary of objects by copy.
    public func encode(_ objects: [String: any StateCopying], forKey key: String) {
        encode(.dictionary(objects.mapValues(copy)), forKey: key)
    }

    /// Returns the value that stands for an object's copy, for use inside an array or dictionary. Null if the object is
    /// nil.
    public func copy(of object: (any StateCopying)?) -> StateValue {
        guard let object else { return .null }
        let name = type(of: object).copyClassName
        return .instance(context.index(ofCopy: object, className: name) { object.encodeState(with: $0) })
    }
}
