/// A class that chooses its name in archives. Use this protocol for a class that is renamed, or that is in another
/// module on another platform.
///
/// Every `RestorationClass` conforms to this protocol. Adopt the protocol also in a class whose objects are made by the
/// delegate or by another class. If a class declares `restorationClassName`, a subclass has the same name, unless the
/// subclass overrides the property.
@MainActor
public protocol RestorationClassNaming {
    /// The name in archives, both for objects of the class and for the class as a restoration class.
    static var restorationClassName: String { get }
}

/// A class that recreates objects at launch. Adopt `ViewControllerRestoration` or `ObjectRestoration`.
///
/// List the class with `RestorationEnvironment.add(_:)`, because an archive holds only the name of the class, and the
/// runtime finds a class by name only if the class is listed.
@MainActor
public protocol RestorationClass: RestorationClassNaming {
    /// Makes or finds the object that was saved under a path. If this method returns nil, the object is not restored,
    /// and the runtime does not search further (seed row 14).
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
    /// Makes a view controller, and sets its restoration class and its identifier again. The identifier is the last
    /// element of the path. Do no other work in this method (row 20).
    /// - Parameters:
    ///   - path: The restoration identifiers from the root to the view controller.
    ///   - coder: The coder with the view controller's saved state (row 19).
    static func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)?
}

extension ViewControllerRestoration {
    /// Calls `viewController(withRestorationIdentifierPath:coder:)`.
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
    ///   - path: The restoration identifiers of the object's restoration parents, followed by the object's own
    ///     identifier.
    ///   - coder: The coder with the object's saved state.
    static func object(withRestorationIdentifierPath path: [String], coder: StateDecoder) -> (any StateRestoring)?
}

extension ObjectRestoration {
    /// Calls `object(withRestorationIdentifierPath:coder:)`.
    public static func restoredObject(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)? {
        object(withRestorationIdentifierPath: path, coder: coder)
    }
}
