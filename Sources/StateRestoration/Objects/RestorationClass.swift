/// What makes an object anew at launch. Adopt `ViewControllerRestoration` or `ObjectRestoration`.
///
/// An archive holds its name, so it has to be listed by `RestorationEnvironment.add(_:)`.
@MainActor
public protocol RestorationClass {
    /// The name in archives; by default the type's own with its module, such as `Photos.Detail`. Give the name that archives
    /// have to a type that is renamed, or that another platform has in a module of another name.
    static var restorationClassName: String { get }

    /// Makes, or finds, the object that was saved under a path. Nil says that it is not wanted: nothing else is asked
    /// (row 14).
    static func restoredObject(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)?
}

extension RestorationClass {
    /// The type's own name with its module.
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
