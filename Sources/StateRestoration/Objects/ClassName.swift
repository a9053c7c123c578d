/// Names of classes in archives: with the module, so that two modules may have a class of one name (row 74).
enum ClassName {
    /// Modules whose classes have one meaning in every app: archives name these classes without the module. Apple's
    /// systems name the classes of their own frameworks so, and archives have to agree between platforms.
    private static let unnamedModules: Set<String> = ["StateRestoration", "Foundation", "__C"]

    /// The name with the module and the types that the class is declared in, such as `Photos.Detail`.
    static func of(_ type: Any.Type) -> String {
        var name = String(reflecting: type)
        if name.utf8.contains(UInt8(ascii: "(")) {
            // Swift names the scope of a private declaration by an address, which differs between processes.
            name = name.replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
        }
        guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")), unnamedModules.contains(String(name[..<dot]))
        else { return name }
        return String(name[name.utf8.index(after: dot)...])
    }

    /// The name that archives have for a class: its own, or the one that the class gives itself.
    @MainActor
    static func inArchives(_ type: Any.Type) -> String {
        (type as? any RestorationClassNaming.Type)?.restorationClassName ?? of(type)
    }

    /// The name without the module, as earlier versions of this library wrote it.
    static func short(_ type: Any.Type) -> String { String(describing: type) }

    /// Whether an object is of the class that an archive names, or of one that inherits from it. The name may be the
    /// type's own, the type's short one, or the one that the class gives itself.
    @MainActor
    static func isKind(_ object: AnyObject, of name: String) -> Bool {
        func isNamed(_ type: Any.Type) -> Bool {
            of(type) == name || short(type) == name || inArchives(type) == name
        }
        // Most objects are of the very class.
        return isNamed(type(of: object)) || lineage(of: object).contains(where: isNamed)
    }

    /// The class of an object, and its superclasses.
    static func lineage(of object: AnyObject) -> [Any.Type] {
        var types: [Any.Type] = [type(of: object)]
        var mirror = Mirror(reflecting: object).superclassMirror
        while let ancestor = mirror {
            types.append(ancestor.subjectType)
            mirror = ancestor.superclassMirror
        }
        return types
    }
}
