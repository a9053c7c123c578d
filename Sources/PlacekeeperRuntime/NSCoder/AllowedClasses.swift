import Foundation

/// The classes that a decoding call allows, as with `NSSecureCoding`. An archive may come from an untrusted source, so
/// code that expects one class must not receive an object of another.
struct AllowedClasses {
    private let classes: [AnyClass]
    /// The `NSSet` objects visited so far, so that a set contained in several objects is checked only once.
    private var visited: Set<ObjectIdentifier> = []

    init(_ classes: [AnyClass]) { self.classes = classes }

    /// Returns the object itself if its class is not allowed, or else the first object inside it whose class is not
    /// allowed. `nil` if all classes are allowed. Property list types are always allowed inside arrays, dictionaries
    /// and sets.
    mutating func firstRefused(in object: Any) -> Any? {
        isAllowed(object) ? firstRefused(within: object) : object
    }

    private mutating func firstRefused(within object: Any) -> Any? {
        let elements: any Sequence<Any>
        switch object {
        case let array as [Any]: elements = array
        case let dictionary as [String: Any]: elements = dictionary.values
        case let set as NSSet:
            guard visited.insert(ObjectIdentifier(set)).inserted else { return nil }
            elements = set.allObjects
        default: return nil
        }
        for element in elements {
            guard Self.isPropertyList(element) || isAllowed(element) else { return element }
            if let refused = firstRefused(within: element) { return refused }
        }
        return nil
    }

    /// Returns how to make a copy of a class with a name in archives, if the class is one of these.
    @MainActor
    func copyable(_ name: String, of framework: (any RestorationFramework.Type)?) -> CopyableClass? {
        guard let type = classes.first(where: { ClassName.of($0) == name }) as? any NSSecureCoding.Type else {
            return nil
        }
        return CopyableClass(make: { decoder in
            let coder = RestorationCoder(decoder, of: framework)
            let object = type.init(coder: coder)
            if let error = coder.error { throw error }
            return object as AnyObject?
        })
    }

    private static func isPropertyList(_ object: Any) -> Bool {
        switch object {
        case is String, is NSNumber, is Date, is Data, is NSNull, is [Any], is [String: Any]: true
        default: false
        }
    }

    private func isAllowed(_ object: Any) -> Bool {
        if let bridged = object as? NSObject { return classes.contains(where: bridged.isKind) }
        return ClassName.lineage(of: object as AnyObject).contains { type in classes.contains { $0 == type } }
    }
}
