public import KeyedArchive

/// An object of the app's own that is saved by copy with whoever has it, since it is not itself a part of the interface:
/// an unsaved draft, the settings of a search (row 28).
///
/// Objects may share one and it may refer to others, in a circle too: it is restored as one object. Classes are listed by
/// `RestorationEnvironment.addCopies(of:)`; an archive leads to no other.
@MainActor
public protocol StateCopying: AnyObject {
    /// The name in archives; by default the type's own with its module.
    static var copyClassName: String { get }

    /// Makes an object whose state comes later.
    init()

    /// Saves what makes up the object.
    func encodeState(with coder: StateEncoder)

    /// Brings back what `encodeState(with:)` saved. Objects that it refers to are there, but may not have got their own
    /// state yet.
    func decodeState(with coder: StateDecoder) throws
}

extension StateCopying {
    /// The type's own name with its module.
    public static var copyClassName: String { ClassName.of(Self.self) }
}

/// How objects of a class that an app has listed are made of their copies.
struct CopyableClass {
    var make: @MainActor (StateDecoder) throws -> AnyObject?
    var decode: @MainActor (AnyObject, StateDecoder) throws -> Void = { _, _ in }
}

extension RestorationEnvironment {
    /// Lists a class whose objects are saved by copy, so that an archive's name leads to it.
    public func addCopies<Copy: StateCopying>(of type: Copy.Type) {
        copyableClasses.add(
            CopyableClass(make: { _ in Copy() }, decode: { try ($0 as? Copy)?.decodeState(with: $1) }),
            for: type, named: type.copyClassName)
    }
}

extension StateEncoder {
    /// Saves an object by copy, once however many have it; or that there is none.
    public func encode(_ object: (any StateCopying)?, forKey key: String) { encode(copy(of: object), forKey: key) }

    /// Saves objects by copy, in order.
    public func encode(_ objects: [any StateCopying], forKey key: String) {
        encode(.array(objects.map(copy)), forKey: key)
    }

    /// Saves objects by copy, by name.
    public func encode(_ objects: [String: any StateCopying], forKey key: String) {
        encode(.dictionary(objects.mapValues(copy)), forKey: key)
    }

    /// A copy of an object as a value, so that it may stand in another.
    public func copy(of object: (any StateCopying)?) -> StateValue {
        guard let object else { return .null }
        let name = type(of: object).copyClassName
        return .instance(context.index(ofCopy: object, className: name) { object.encodeState(with: $0) })
    }
}
