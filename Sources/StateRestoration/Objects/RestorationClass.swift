/// A class that chooses its name in archives. Use it for a class that is renamed, or that is in another module on
/// another platform.
///
/// A `RestorationClass` conforms to this protocol. Adopt the protocol in a class whose objects the delegate or
/// another class makes. Subclasses have the same name, unless they override it.
@MainActor
public protocol RestorationClassNaming {
    /// The name in archives, for the class's objects and for the class as a restoration class.
    static var restorationClassName: String { get }
}

/// A class that recreates objects at launch. Adopt `ViewControllerRestoration` or `ObjectRestoration`.
///
/// List the class with `RestorationEnvironment.add(_:)`: an archive holds only its name.
@MainActor
public protocol RestorationClass: RestorationClassNaming {
    /// Makes or finds the object that was saved under a path. If it returns nil, the object is not restored, and the
    /// runtime does not search further (row 14).
    static func restoredObject(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)?
}

extension RestorationClass {
    /// The type's own name with its module, such as `Photos.Detail`.
    public static var restorationClassName: String { ClassName.of(Self.self) }
}

/// A class that recreates view controllers.
@MainActor
public protocol ViewControllerRestoration: RestorationClass {
    /// Makes a view controller, and sets its identifier (the last of the path) and restoration class again. Do no
    /// other work here (row 20).
    /// - Parameters:
    ///   - path: The restoration identifiers from the root to the view controller.
    ///   - coder: The coder with the view controller's saved state (row 19).
    static func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)?
}

extension ViewControllerRestoration {
    /// Calls this protocol's own method.
    public static func restoredObject(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)? {
        viewController(withRestorationIdentifierPath: path, coder: coder)
    }
}

/// A class that recreates objects that are neither view controllers nor views (row 36).
@MainActor
public protocol ObjectRestoration: RestorationClass {
    /// Makes an object and registers it again.
    /// - Parameters:
    ///   - path: The restoration identifiers of the object's restoration parents, and last its own.
    ///   - coder: The coder with the object's saved state.
    static func object(withRestorationIdentifierPath path: [String], coder: StateDecoder) -> (any StateRestoring)?
}

extension ObjectRestoration {
    /// Calls this protocol's own method.
    public static func restoredObject(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)? {
        object(withRestorationIdentifierPath: path, coder: coder)
    }
}
