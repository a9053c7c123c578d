/// A route through an app's screens, independent of layout: it is the same in an iPhone's tab bar and in an iPad's
/// split view.
public struct Place: Sendable, Hashable {
    /// A screen on the route.
    public struct Step: Sendable, Hashable {
        /// The screen's name, chosen by the app and the same on every device.
        public var screen: String
        /// The title that a person sees.
        public var title: String?
        /// The elements that the screen shows, by their indices in `StateArchive.references`.
        public var references: [Int]
        /// Other values that the screen needs. They contain neither restorable objects nor instances.
        public var parameters: [String: StateValue]
        /// How far the person is in the screen's content, from 0 to 1, such as 0.42 of a book. `nil` if the screen has
        /// no beginning and end.
        public var progress: Double?

        /// Creates a step.
        public init(
            screen: String, title: String? = nil, references: [Int] = [], parameters: [String: StateValue] = [:],
            progress: Double? = nil
        ) {
            self.screen = screen
            self.title = title
            self.references = references
            self.parameters = parameters
            self.progress = progress
        }

        /// The step's size in bytes: the UTF-8 bytes of its strings and keys, the bytes of its data, and 8 bytes for
        /// each other value.
        public var size: Int {
            screen.utf8.count + (title?.utf8.count ?? 0) + 8 * references.count
                + StateValue.dictionary(parameters).size + (progress == nil ? 0 : 8)
        }

        /// Returns whether a value is a valid progress.
        package static func isProgress(_ value: Double) -> Bool { (0...1).contains(value) }
    }

    /// The maximum size of all steps together, in bytes.
    public static let maximumSize = 131_072
    /// The maximum number of steps.
    public static let maximumStepCount = 64

    /// The steps, from the first screen to the one in front.
    public var steps: [Step]
    /// The address of the same place on the app's website, for devices without the app and for
    /// `NSUserActivity.webpageURL`. An archive can hold only addresses that `isWebAddress(_:)` accepts.
    public var webAddress: String?

    /// Creates a place from its steps and its web address.
    public init(_ steps: [Step], webAddress: String? = nil) {
        self.steps = steps
        self.webAddress = webAddress
    }
}

extension StateValue {
    fileprivate var size: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .object(let path): path.utf8.count
        case .array(let elements): elements.reduce(8) { $0 + $1.size }
        case .dictionary(let entries): entries.reduce(8) { $0 + $1.key.utf8.count + $1.value.size }
        default: 8
        }
    }
}
