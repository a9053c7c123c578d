/// What state says of an element of a data source: its identifier on the device that saved, and what helps to find the
/// same element where it is called otherwise.
public struct ModelReference: Sendable, Hashable {
    /// What the element was to the screen, by its name in an archive.
    public struct Role: RawRepresentable, Sendable, Hashable {
        /// The name in an archive.
        public var rawValue: String
        /// Makes a role of its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// It was selected, or open.
        public static let selected = Role(rawValue: "selected")
        /// It was the first that could be seen.
        public static let firstVisible = Role(rawValue: "firstVisible")
        /// Anything else.
        public static let other = Role(rawValue: "other")
    }

    /// An element by its names.
    public struct Element: Sendable, Hashable {
        /// What the device calls it; nil where it could not be found.
        public var identifier: String?
        /// Evidence of its identity that is the same on every device: a server's id, an ISBN, a hash of its content.
        public var aliases: [String]

        /// Makes an element of its names.
        public init(_ identifier: String?, aliases: [String] = []) {
            self.identifier = identifier
            self.aliases = aliases
        }
    }

    /// How the service found the element for the device that it serves an archive to.
    public struct Resolution: Sendable, Hashable {
        /// The step of the ladder.
        public var step: Step
        /// How sure it is that this is the element, from 0 to 1.
        public var confidence: Double
        /// Several elements could be meant: this is the likeliest.
        public var isAmbiguous: Bool

        /// Makes a resolution of what is known of it.
        public init(step: Step, confidence: Double, isAmbiguous: Bool = false) {
            self.step = step
            self.confidence = confidence
            self.isAmbiguous = isAmbiguous
        }
    }

    /// A step of the ladder by which elements are found, the best first.
    public struct Step: RawRepresentable, Sendable, Hashable {
        /// The name in an archive.
        public var rawValue: String
        /// Makes a step of its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Its identifier means the same here.
        public static let exact = Step(rawValue: "exact")
        /// By evidence that is the same on every device.
        public static let alias = Step(rawValue: "alias")
        /// It is known elsewhere and not here yet: the identifier is nil, to be looked for again.
        public static let pending = Step(rawValue: "pending")
        /// It is gone, and the identifier is that of the nearest neighbour that is left.
        public static let neighbour = Step(rawValue: "neighbour")
        /// By where it stands; for lists that never change.
        public static let indexPath = Step(rawValue: "indexPath")
        /// It is gone, or unknown: the identifier is nil.
        public static let unresolved = Step(rawValue: "unresolved")
    }

    /// How many neighbours are kept on each side.
    public static let maximumNeighbourCount = 8

    /// The data source's name.
    public var dataSource: String
    /// The element itself.
    public var element: Element
    /// What the element was to the screen.
    public var role: Role
    /// Where the element was; for lists that never change.
    public var indexPath: [Int]?
    /// The elements before it, the nearest first; at most eight.
    public var before: [Element]
    /// The elements after it, the nearest first; at most eight.
    public var after: [Element]
    /// How the service found it; nil as an app saves it, and where nothing had to be found out.
    public var resolution: Resolution?

    /// Makes a reference to an element of a data source.
    public init(
        dataSource: String, element: Element, role: Role = .other, indexPath: [Int]? = nil, before: [Element] = [],
        after: [Element] = [], resolution: Resolution? = nil
    ) {
        self.dataSource = dataSource
        self.element = element
        self.role = role
        self.indexPath = indexPath
        self.before = before
        self.after = after
        self.resolution = resolution
    }
}
