/// A route free of layout: what a phone's tab bar and a pad's split view have in common.
public struct Place: Sendable, Hashable {
    /// A screen on the way.
    public struct Step: Sendable, Hashable {
        /// The screen's name, which the app chose and every device knows.
        public var screen: String
        /// What a person is shown of it.
        public var title: String?
        /// The elements that the screen shows, by index in `StateArchive.references`.
        public var references: [Int]
        /// What else the screen needs; neither restorable objects nor instances.
        public var parameters: [String: StateValue]

        /// Makes a step.
        public init(
            screen: String, title: String? = nil, references: [Int] = [], parameters: [String: StateValue] = [:]
        ) {
            self.screen = screen
            self.title = title
            self.references = references
            self.parameters = parameters
        }

        /// The step's size: the UTF-8 bytes of its strings and keys, the bytes of its data, and 8 for every other value.
        public var size: Int {
            screen.utf8.count + (title?.utf8.count ?? 0) + 8 * references.count
                + StateValue.dictionary(parameters).size
        }
    }

    /// The largest step: 2 KB.
    public static let maximumStepSize = 2048
    /// The most steps.
    public static let maximumStepCount = 64

    /// From the first screen to the one that was in front.
    public var steps: [Step]

    /// Makes a place of its steps.
    public init(_ steps: [Step]) { self.steps = steps }
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
