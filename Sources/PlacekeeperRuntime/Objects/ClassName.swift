#if canImport(Darwin)
    import Foundation
#endif

/// The names of classes in archives. They include the module, to tell apart classes of different modules with the same
/// short name (seed row 74).
enum ClassName {
    /// Modules whose names are left out of class names, as on Apple's systems for the classes of their own frameworks.
    /// Archives must be the same on all platforms.
    private static let unnamedModules: Set<String> = [
        "PlacekeeperRuntime", "PlacekeeperStandIns", "Foundation", "UIKit", "__C",
    ]

    /// Returns the name of a type, including its enclosing types and its module, such as `Photos.Detail`. Modules in
    /// `unnamedModules` are left out.
    static func of(_ type: Any.Type) -> String {
        var name = String(reflecting: type)
        if name.utf8.contains(UInt8(ascii: "(")) {
            // The name of a private type contains an address that differs between processes, so remove it.
            name = name.replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
        }
        guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")), unnamedModules.contains(String(name[..<dot]))
        else { return name }
        return String(name[name.utf8.index(after: dot)...])
    }

    /// Returns the name of a class in archives: its `restorationClassName`, or `of(_:)` if it does not conform to
    /// `RestorationClassNaming`.
    @MainActor
    static func inArchives(_ type: Any.Type) -> String {
        (type as? any RestorationClassNaming.Type)?.restorationClassName ?? of(type)
    }

    /// Returns the name of an object's class in archives.
    @MainActor
    static func inArchives(of object: AnyObject) -> String { inArchives(type(of: object)) }

    /// Returns the class of an object, or of the object that it stands in for.
    @MainActor
    static func type(of object: AnyObject) -> any AnyObject.Type {
        let object = represented(by: object)
        #if canImport(Darwin)
            // Key-value observing gives an observed object a class of its own.
            // https://developer.apple.com/documentation/objectivec/nsobject-swift.class/classforcoder
            if let object = object as? NSObject { return object.classForCoder }
        #endif
        return Swift.type(of: object)
    }

    @MainActor
    private static func represented(by object: AnyObject) -> AnyObject {
        (object as? any RestorableStandIn)?.represented ?? object
    }

    /// Returns the name without module and enclosing types, as earlier versions of this library wrote it.
    static func short(_ type: Any.Type) -> String { String(describing: type) }

    /// Returns whether an object is an instance of the class named in an archive, or of a subclass. The name may be the
    /// type's full name, its short name, or its `restorationClassName`.
    @MainActor
    static func isKind(_ object: AnyObject, of name: String) -> Bool {
        func isNamed(_ type: Any.Type) -> Bool {
            of(type) == name || short(type) == name || inArchives(type) == name
        }
        let object = represented(by: object)
        // Check the object's own class first: most objects are direct instances of the named class.
        return isNamed(Swift.type(of: object)) || lineage(of: object).contains(where: isNamed)
    }

    /// Returns the class of an object and its superclasses.
    static func lineage(of object: AnyObject) -> [Any.Type] {
        var types: [Any.Type] = [Swift.type(of: object)]
        var mirror = Mirror(reflecting: object).superclassMirror
        while let ancestor = mirror {
            types.append(ancestor.subjectType)
            mirror = ancestor.superclassMirror
        }
        return types
    }
}
