/// An object whose state was saved: a view controller, a view, or another object that the app registered.
public struct RestorableObject: Sendable, Hashable {
    /// The kind of object, by its name in archives.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name in archives.
        public var rawValue: String
        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A view controller.
        public static let viewController = Kind(rawValue: "viewController")
        /// A view.
        public static let view = Kind(rawValue: "view")
        /// Any other object.
        public static let object = Kind(rawValue: "object")
    }

    /// The restoration path: the restoration identifiers from the root, joined by `/`. Unique in an archive.
    public var path: String
    /// The kind of object.
    public var kind: Kind
    /// The object's class name.
    public var className: String
    /// The name of the class that recreates the object.
    public var restorationClass: String?
    /// The storyboard that the object came from.
    public var storyboard: String?
    /// The object's identifier in `storyboard`, if it differs from the restoration identifier.
    public var storyboardIdentifier: String?
    /// Whether the app registered the object directly. Such an object is not part of the tree of screens.
    public var isRegistered: Bool
    /// The state that the object saved with its own coder.
    public var state: [String: StateValue]

    /// Creates an object from its saved properties and state.
    public init(
        path: String, kind: Kind, className: String, restorationClass: String? = nil, storyboard: String? = nil,
        storyboardIdentifier: String? = nil, isRegistered: Bool = false, state: [String: StateValue] = [:]
    ) {
        self.path = path
        self.kind = kind
        self.className = className
        self.restorationClass = restorationClass
        self.storyboard = storyboard
        self.storyboardIdentifier = storyboardIdentifier
        self.isRegistered = isRegistered
        self.state = state
    }
}

/// A saved copy of an app's object. State refers to it by its index in `StateArchive.instances`, so a shared object is
/// restored as one object. Instances may refer to each other in a cycle.
public struct SavedInstance: Sendable, Hashable {
    /// The object's class name.
    public var className: String
    /// The state that the object encoded.
    public var state: [String: StateValue]

    /// Creates an instance from its class and its encoded state.
    public init(className: String, state: [String: StateValue]) {
        self.className = className
        self.state = state
    }
}
