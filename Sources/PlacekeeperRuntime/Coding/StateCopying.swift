public import PlacekeeperArchive

/// An object that is not part of the interface. It is saved by copy, in the same archive as the objects that refer to
/// it. Examples are an unsaved draft and the settings of a search (row 28).
///
/// Several objects may refer to the same copy, and copies may refer to each other, even in a circle. All references to
/// a copy restore the same object. List the class with `RestorationEnvironment.addCopies(of:)`, because only objects of
/// listed classes are restored.
@MainActor
public protocol StateCopying: AnyObject {
    /// The class's name in archives. The default is the type's name with its module.
    static var copyClassName: String { get }

    /// Creates an object. `decodeState(with:)` restores the object's saved state later.
    init()

    /// Saves the object's state.
    func encodeState(with coder: StateEncoder)

    /// Restores the state that `encodeState(with:)` saved. If this state refers to another object, the coder may return
    /// that object before it has decoded its state.
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
    /// Allows the runtime to restore the copies of a class. Without this call, the copies are saved but not restored.
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

    /// Adds an object to the objects that are saved by copy, and returns a value that refers to its copy, for use
    /// inside an array or dictionary. Null if the object is nil.
    public func copy(of object: (any StateCopying)?) -> StateValue {
        guard let object else { return .null }
        let name = type(of: object).copyClassName
        return .instance(context.index(ofCopy: object, className: name) { object.encodeState(with: $0) })
    }
}
