import Foundation

/// The classes that a decoding call allows, as with `NSSecureCoding`. An archive may come from an untrusted source, and
/// code that expects an object of one class must not receive an object of another class.
struct AllowedClasses {
    private let classes: [AnyClass]
    /// The `NSSet` objects that were already visited. Several objects may contain the same `NSSet`, which is then
    /// checked only once.
    private var visited: Set<ObjectIdentifier> = []

    init(_ classes: [AnyClass]) { self.classes = classes }

    /// Returns the object itself if its class is not allowed. Otherwise returns the first object inside `object` whose
    /// class is not allowed. Nil if all classes are allowed. The types of property lists are allowed in every array,
    /// dictionary and set.
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
