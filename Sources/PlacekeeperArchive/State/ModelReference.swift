/// A reference from saved state to an element of a data source. It contains the element's identifier on the device that
/// saved the state, and evidence for finding the element on a device that identifies it differently.
public struct ModelReference: Sendable, Hashable {
    /// The element's role on the screen, by its name in archives.
    public struct Role: RawRepresentable, Sendable, Hashable {
        /// The name in archives.
        public var rawValue: String
        /// Creates a role from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The element was selected or open.
        public static let selected = Role(rawValue: "selected")
        /// The element was the first visible element.
        public static let firstVisible = Role(rawValue: "firstVisible")
        /// Any other role.
        public static let other = Role(rawValue: "other")
    }

    /// An element's identifier and aliases.
    public struct Element: Sendable, Hashable {
        /// The element's identifier on the device that saved or requests the archive. `nil` if it was not found on the
        /// requesting device. Compared by its UTF-8 bytes.
        public var identifier: String? {
            get { name?.text }
            set { name = newValue.map(ByteText.init) }
        }
        private var name: ByteText?
        /// Evidence of the element's identity that is the same on every device, such as a server ID, an ISBN or a hash
        /// of the content.
        public var aliases: [String]
        /// Further aliases, which alone identify no element: several rows of the device that saved the archive have
        /// them, or the service found them doubtful. They help to tell neighbors apart. `nil` if there are none, or if
        /// it is unknown which aliases are shared.
        public var sharedAliases: [String]?
        /// `aliases` and `sharedAliases`, in this order.
        package var allAliases: [String] { aliases + (sharedAliases ?? []) }

        /// Creates an element from its identifier and aliases.
        public init(_ identifier: String?, aliases: [String] = [], sharedAliases: [String]? = nil) {
            name = identifier.map(ByteText.init)
            self.aliases = aliases
            self.sharedAliases = sharedAliases
        }
    }

    /// The result of the service's search for the element on the requesting device.
    public struct Resolution: Sendable, Hashable {
        /// The step that found the element, or `pending` or `unresolved` if none did.
        public var step: Step
        /// How likely the element is the right one, from 0 to 1.
        public var confidence: Double
        /// Whether several elements match. The most likely one was chosen.
        public var isAmbiguous: Bool
        /// The identifier, on the requesting device, of a neighbor that stands in until the element arrives. Only set
        /// for a first visible element with the step `pending`. Compared by its UTF-8 bytes.
        public var neighbor: String? {
            get { neighborName?.text }
            set { neighborName = newValue.map(ByteText.init) }
        }
        private var neighborName: ByteText?

        /// Creates a resolution.
        public init(step: Step, confidence: Double, isAmbiguous: Bool = false, neighbor: String? = nil) {
            self.step = step
            self.confidence = confidence
            self.isAmbiguous = isAmbiguous
            neighborName = neighbor.map(ByteText.init)
        }
    }

    /// A step in the search for an element. The steps are listed from best to worst.
    public struct Step: RawRepresentable, Sendable, Hashable {
        /// The name in archives.
        public var rawValue: String
        /// Creates a step from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The element has the same identifier on the requesting device.
        public static let exact = Step(rawValue: "exact")
        /// The element was found by an alias: evidence that is the same on every device.
        public static let alias = Step(rawValue: "alias")
        /// The element was found by the elements around it in the lists of both devices.
        public static let alignment = Step(rawValue: "alignment")
        /// The element is one of several adjacent elements that nothing tells apart. The identifier belongs to one of
        /// them.
        public static let indistinguishable = Step(rawValue: "indistinguishable")
        /// Another device has the element, but the requesting device does not have it yet. The identifier is nil, and
        /// the app searches again later. Until then, a list may show a neighbor (see `Resolution.neighbor`).
        public static let pending = Step(rawValue: "pending")
        /// The element was removed or is unknown. The identifier belongs to the nearest neighbor that exists.
        public static let neighbor = Step(rawValue: "neighbor")
        /// The element was found by its index path, in a list that never changes.
        public static let indexPath = Step(rawValue: "indexPath")
        /// The element was removed or is unknown. The identifier is nil.
        public static let unresolved = Step(rawValue: "unresolved")
    }

    /// The maximum number of neighbors on each side.
    public static let maximumNeighborCount = 8

    /// The data source's name.
    public var dataSource: String
    /// The element.
    public var element: Element
    /// The element's role on the screen.
    public var role: Role
    /// The element's index path, only for lists that never change.
    public var indexPath: [Int]?
    /// The elements before this one, nearest first, at most eight.
    public var before: [Element]
    /// The elements after this one, nearest first, at most eight.
    public var after: [Element]
    /// The result of the service's search. `nil` in an archive as saved by an app, or if no search was needed.
    public var resolution: Resolution?

    /// Creates a reference to an element of a data source.
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
