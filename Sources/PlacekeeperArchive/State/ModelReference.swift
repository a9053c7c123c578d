/// A reference from saved state to an element of a data source. The reference has the element's identifier on the
/// device that saved the state, and evidence to find the same element on a device that uses another identifier.
public struct ModelReference: Sendable, Hashable {
    /// The element's role on the screen, by its name in an archive.
    public struct Role: RawRepresentable, Sendable, Hashable {
        /// The name in an archive.
        public var rawValue: String
        /// Creates a role from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The person had selected or opened the element.
        public static let selected = Role(rawValue: "selected")
        /// The element was the first visible element.
        public static let firstVisible = Role(rawValue: "firstVisible")
        /// Any other role.
        public static let other = Role(rawValue: "other")
    }

    /// An element's identifier and aliases.
    public struct Element: Sendable, Hashable {
        /// The element's identifier on the device that saved the archive or that requests the archive. Nil if the
        /// element was not found on this device.
        public var identifier: String?
        /// Evidence of the element's identity that is the same on every device, such as a server's identifier, an
        /// ISBN or a hash of the content.
        public var aliases: [String]

        /// Creates an element from its identifier and aliases.
        public init(_ identifier: String?, aliases: [String] = []) {
            self.identifier = identifier
            self.aliases = aliases
        }
    }

    /// The result of the service's search for the element on the device that requests the archive.
    public struct Resolution: Sendable, Hashable {
        /// The step that found the element, or `pending` or `unresolved` if no element was found.
        public var step: Step
        /// The confidence that the found element is the right element, from 0 to 1.
        public var confidence: Double
        /// Whether several elements match. If so, the found element is the most likely match.
        public var isAmbiguous: Bool
        /// The requesting device's identifier of a neighbor that replaces the element until the element arrives. The
        /// service chooses such a neighbor only for a first visible element whose step is `pending`.
        public var neighbor: String?

        /// Creates a resolution.
        public init(step: Step, confidence: Double, isAmbiguous: Bool = false, neighbor: String? = nil) {
            self.step = step
            self.confidence = confidence
            self.isAmbiguous = isAmbiguous
            self.neighbor = neighbor
        }
    }

    /// A step of the search for an element. The steps are listed from the best to the worst.
    public struct Step: RawRepresentable, Sendable, Hashable {
        /// The name in an archive.
        public var rawValue: String
        /// Creates a step from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The element has the same identifier on the requesting device.
        public static let exact = Step(rawValue: "exact")
        /// The element was found by evidence that is the same on every device.
        public static let alias = Step(rawValue: "alias")
        /// The element was found by the elements near it in the lists of both devices.
        public static let alignment = Step(rawValue: "alignment")
        /// The element is one of several that lie beside each other, and nothing distinguishes them. The identifier is
        /// the identifier of one of them.
        public static let indistinguishable = Step(rawValue: "indistinguishable")
        /// Another device has the element, but the requesting device does not have the element yet. The identifier is
        /// nil. The app searches for the element again later. A list may show a neighbor until the element arrives (see
        /// `Resolution.neighbor`).
        public static let pending = Step(rawValue: "pending")
        /// The element was removed. The identifier is the identifier of the nearest neighbor that still exists.
        public static let neighbor = Step(rawValue: "neighbor")
        /// The element was found by its index path. This step is used only for lists that never change.
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
    /// The element's index path. An index path is used only for lists that never change.
    public var indexPath: [Int]?
    /// The elements before this element, nearest first. At most eight.
    public var before: [Element]
    /// The elements after this element, nearest first. At most eight.
    public var after: [Element]
    /// The result of the service's search. Nil in an archive that an app saves, and if no search was needed.
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
