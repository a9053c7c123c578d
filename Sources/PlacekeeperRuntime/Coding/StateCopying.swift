public import PlacekeeperArchive

/// An object outside the interface, such as an unsaved draft or the settings of a search. It is saved by copy, in the
/// same archive as the objects that refer to it (row 28).
///
/// Several objects can refer to the same copy, and copies can refer to each other, even in a cycle. All references to a
/// copy restore the same object. List the class with `RestorationEnvironment.addCopies(of:)`; only objects of listed
/// classes are restored.
@MainActor
public protocol StateCopying: AnyObject {
    /// The class's name in archives. By default, the type's name including its module.
    static var copyClassName: String { get }

    /// Creates an object whose state `decodeState(with:)` restores later.
    init()

    /// Saves the object's state.
    func encodeState(with coder: StateEncoder)

    /// Restores the state that `encodeState(with:)` saved. If the state refers to another object, the coder may return
    /// that object before it has decoded its own state.
    func decodeState(with coder: StateDecoder) throws
}

extension StateCopying {
    /// The type's name including its module.
    public static var copyClassName: String { ClassName.of(Self.self) }
}

/// Makes objects of a listed class and decodes their saved state.
struct CopyableClass {
    var make: @MainActor (StateDecoder) throws -> AnyObject?
    var decode: @MainActor (AnyObject, StateDecoder) throws -> Void = { _, _ in }
}

extension RestorationEnvironment {
    /// Lists a class, so that the runtime can restore its copies. Copies of unlisted classes are saved but not
    /// restored.
    public func addCopies<Copy: StateCopying>(of type: Copy.Type) {
        copyableClasses.add(
            CopyableClass(make: { _ in Copy() }, decode: { try ($0 as? Copy)?.decodeState(with: $1) }),
            for: type, named: type.copyClassName)
    }
}

extension StateEncoder {
    /// Saves an object by copy, or nil. If several objects refer to it, it is still saved only once.
    public func encode(_ object: (any StateCopying)?, forKey key: String) { encode(copy(of: object), forKey: key) }

    /// Saves an array of objects by copy.
    public func encode(_ objects: [any StateCopying], forKey key: String) {
        encode(.array(objects.map(copy)), forKey: key)
    }

    /// Saves a dictionary of objects by copy.
    public func encode(_ objects: [String: any StateCopying], forKey key: String) {
        encode(.dictionary(objects.mapValues(copy)), forKey: key)
    }

    /// Adds an object to the objects that are saved by copy, and returns a value that refers to it, for use inside an
    /// array or dictionary. `.null` if the object is nil.
    public func copy(of object: (any StateCopying)?) -> StateValue {
        guard let object else { return .null }
        let name = type(of: object).copyClassName
        return .instance(context.index(ofCopy: object, className: name) { object.encodeState(with: $0) })
    }
}
