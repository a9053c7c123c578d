/// An object whose state was saved: a view controller, a view, or any other that the app registered.
public struct RestorableObject: Sendable, Hashable {
    /// What sort of object it is, by its name in an archive.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name in an archive.
        public var rawValue: String
        /// Makes a kind of its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A view controller.
        public static let viewController = Kind(rawValue: "viewController")
        /// A view.
        public static let view = Kind(rawValue: "view")
        /// Any other object.
        public static let object = Kind(rawValue: "object")
    }

    /// The restoration identifiers from the root on, joined by `/`; unique in an archive.
    public var path: String
    /// What sort of object it is.
    public var kind: Kind
    /// The object's class, as a name.
    public var className: String
    /// The class that makes the object anew.
    public var restorationClass: String?
    /// The storyboard that the object came from.
    public var storyboard: String?
    /// The object's identifier in that storyboard, where it differs from the restoration identifier.
    public var storyboardIdentifier: String?
    /// Whether the app registered the object by itself, so that it stands outside the tree of screens.
    public var isRegistered: Bool
    /// What the object saved with its own coder.
    public var state: [String: StateValue]

    /// Makes an object of what is saved of it.
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

/// An object of the app's own that was saved by copy. Those that share it refer to it by index, so that it is restored as
/// one object, and objects may refer to each other in a circle.
public struct SavedInstance: Sendable, Hashable {
    /// The object's class, as a name.
    public var className: String
    /// What the object encoded.
    public var state: [String: StateValue]

    /// Makes an instance of what it encoded.
    public init(className: String, state: [String: StateValue]) {
        self.className = className
        self.state = state
    }
}
