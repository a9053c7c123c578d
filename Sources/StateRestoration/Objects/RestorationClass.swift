/// What makes an object anew at launch. Adopt `ViewControllerRestoration` or `ObjectRestoration`.
///
/// An archive holds its name, so it has to be listed in `RestorationEnvironment.restorationClasses`.
@MainActor
public protocol RestorationClass {
    /// The name in archives; by default the type's own, without its module, so that archives agree between platforms.
    static var restorationClassName: String { get }

    /// Makes, or finds, the object that was saved under a path. Nil says that it is not wanted: nothing else is asked
    /// (row 14).
    static func restoredObject(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)?
}

extension RestorationClass {
    /// The type's own name, without its module.
    public static var restorationClassName: String { ClassName.of(Self.self) }
}

/// Makes view controllers anew.
@MainActor
public protocol ViewControllerRestoration: RestorationClass {
    /// Makes a view controller, does no more than is needed for that, and gives it its identifier (the last of the path)
    /// and restoration class again (row 20).
    /// - Parameters:
    ///   - path: the restoration identifiers from the root on.
    ///   - coder: what the view controller saved (row 19).
    static func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)?
}

extension ViewControllerRestoration {
    /// Asks for what this protocol makes.
    public static func restoredObject(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)? {
        viewController(withRestorationIdentifierPath: path, coder: coder)
    }
}

/// Makes objects anew that are neither view controllers nor views (row 36).
@MainActor
public protocol ObjectRestoration: RestorationClass {
    /// Makes an object and registers it again.
    /// - Parameters:
    ///   - path: the restoration identifiers of its restoration parents, and last its own.
    ///   - coder: what the object saved.
    static func object(withRestorationIdentifierPath path: [String], coder: StateDecoder) -> (any StateRestoring)?
}

extension ObjectRestoration {
    /// Asks for what this protocol makes.
    public static func restoredObject(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)? {
        object(withRestorationIdentifierPath: path, coder: coder)
    }
}

/// Names of classes as archives have them.
enum ClassName {
    static func of(_ type: Any.Type) -> String { String(describing: type) }

    /// Whether an object is of the class of that name, or of one that inherits from it.
    static func isKind(_ object: AnyObject, of name: String) -> Bool {
        if of(type(of: object)) == name { return true }
        var mirror = Mirror(reflecting: object).superclassMirror
        while let ancestor = mirror {
            if of(ancestor.subjectType) == name { return true }
            mirror = ancestor.superclassMirror
        }
        return false
    }
}
