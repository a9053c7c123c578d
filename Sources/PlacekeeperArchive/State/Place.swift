/// A route through an app's screens. The route does not depend on the layout: it is the same in a phone's tab bar and
/// in a pad's split view.
public struct Place: Sendable, Hashable {
    /// A screen on the route.
    public struct Step: Sendable, Hashable {
        /// The screen's name. The app chooses the name, and uses the same name on every device.
        public var screen: String
        /// The title that a person sees.
        public var title: String?
        /// The elements that the screen shows, by their indices in `StateArchive.references`.
        public var references: [Int]
        /// Other values that the screen needs. The values contain neither restorable objects nor instances.
        public var parameters: [String: StateValue]
        /// How far the person is in the items of the step, from 0 to 1, such as 0.42 of a book. Nil if the screen has no
        /// beginning and end.
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
        /// every other value.
        public var size: Int {
            screen.utf8.count + (title?.utf8.count ?? 0) + 8 * references.count
                + StateValue.dictionary(parameters).size + (progress == nil ? 0 : 8)
        }

        /// Returns whether an archive can hold a progress.
        package static func isProgress(_ value: Double) -> Bool { (0...1).contains(value) }
    }

    /// The maximum size of a step: 2 KB.
    public static let maximumStepSize = 2048
    /// The maximum number of steps.
    public static let maximumStepCount = 64

    /// The steps, from the first screen to the frontmost screen.
    public var steps: [Step]
    /// The address of the same place on the app's website: a fallback for a device without the app, and
    /// `NSUserActivity.webpageURL`. An archive holds only addresses that `isWebAddress(_:)` accepts.
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
