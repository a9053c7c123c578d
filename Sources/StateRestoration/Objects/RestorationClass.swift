/// A class that has a name of its own in archives, such as one that is renamed, or that another platform has in a module of
/// another name.
///
/// A `RestorationClass` is one by default. Adopt this protocol in a class whose objects the delegate or another class makes.
/// Subclasses have the same name, unless they override it.
@MainActor
public protocol RestorationClassNaming {
    /// The name in archives, both of the class's objects and of the class as one that makes objects.
    static var restorationClassName: String { get }
}

/// What makes an object anew at launch. Adopt `ViewControllerRestoration` or `ObjectRestoration`.
///
/// An archive holds its name, so it has to be listed by `RestorationEnvironment.add(_:)`.
@MainActor
public protocol RestorationClass: RestorationClassNaming {
    /// Makes, or finds, the object that was saved under a path. Nil says that it is not wanted: nothing else is asked
    /// (row 14).
    static func restoredObject(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)?
}

extension RestorationClass {
    /// The type's own name with its module, such as `Photos.Detail`.
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
