/// A class that chooses its name in archives. Use this if the class was renamed, or is in another module on another
/// platform.
///
/// Every `RestorationClass` conforms to this protocol. Other classes can conform too, if the delegate or another class
/// makes their objects. Subclasses inherit `restorationClassName` unless they override it.
@MainActor
public protocol RestorationClassNaming {
    /// The name in archives, for objects of the class and for the class as a restoration class.
    static var restorationClassName: String { get }
}

/// A class that recreates objects at launch. Conform to `ViewControllerRestoration` or `ObjectRestoration`.
///
/// List the class with `RestorationEnvironment.add(_:)`. An archive contains only its name, and the runtime finds only
/// listed classes by name.
@MainActor
public protocol RestorationClass: RestorationClassNaming {
    /// Makes or finds the object that was saved under a path. If this returns nil, the object is not restored, and the
    /// runtime does not search further (seed row 14).
    static func restoredObject(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)?
}

extension RestorationClass {
    /// The type's name including its module, such as `Photos.Detail`.
    public static var restorationClassName: String { ClassName.of(Self.self) }
}

/// A class that recreates view controllers.
@MainActor
public protocol ViewControllerRestoration: RestorationClass {
    /// Makes a view controller, and sets its restoration class and its identifier, the last element of the path. Do
    /// nothing else here (row 20).
    /// - Parameters:
    ///   - path: The restoration identifiers from the root to the view controller.
    ///   - coder: A coder with the view controller's saved state (row 19).
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
    ///   - path: The restoration identifiers of the object's restoration parents, then its own.
    ///   - coder: A coder with the object's saved state.
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
