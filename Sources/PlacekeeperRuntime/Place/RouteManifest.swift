/// The names of the screens of an app's places, with the parameters and the earlier names of each screen.
///
/// ```swift
/// static let placeManifest = RouteManifest([
///     .init("book", items: ["id": "books"]),
///     .init("find", parameters: ["text": .string], renamedFrom: ["search"]),
/// ])
/// ```
/// A saved place has the names of its screens, and is restored by other versions of the app. So a renamed screen lists its
/// earlier names: `StateArchive.restorePlace(through:)` goes to the screen that has the name now. The library
/// `PlacekeeperTesting` compares a manifest with a committed file (`check(against:)`).
public struct RouteManifest: Sendable, Hashable {
    /// A screen of a place.
    public struct Route: Sendable, Hashable {
        /// The screen's name in saved places.
        public var name: String
        /// The names of the lists of the screen's items, in the order of the items.
        public var items: [String]
        /// The labels of the associated values that are the items, in the same order, for routes that are a `Codable` enum.
        /// Empty for other routes. The labels are not saved.
        public var itemLabels: [String] = []
        /// The names and types of the screen's other values.
        public var parameters: [String: ParameterType]
        /// The names that the screen had in earlier versions of the app.
        public var renamedFrom: [String]

        /// Creates a route whose code names the items.
        public init(
            _ name: String, items: [String] = [], parameters: [String: ParameterType] = [:], renamedFrom: [String] = []
        ) {
            self.name = name
            self.items = items
            self.parameters = parameters
            self.renamedFrom = renamedFrom
        }

        /// Creates a route that is a case of a `Codable` enum. The items are the lists by the labels of the associated
        /// values: `["id": "books"]`. The label of a value without a label is `_0`, `_1` and so on, by the value's position.
        public init(
            _ name: String, items: KeyValuePairs<String, String>, parameters: [String: ParameterType] = [:],
            renamedFrom: [String] = []
        ) {
            self.init(name, items: items.map(\.value), parameters: parameters, renamedFrom: renamedFrom)
            itemLabels = items.map(\.key)
        }
    }

    /// The type of a parameter, as the word that the committed file has.
    public struct ParameterType: RawRepresentable, Sendable, Hashable {
        /// The word, such as `string` or `string?`.
        public let rawValue: String

        /// Creates a type from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A Boolean.
        public static let boolean = ParameterType(rawValue: "boolean")
        /// A whole number.
        public static let integer = ParameterType(rawValue: "integer")
        /// A number with a fraction.
        public static let number = ParameterType(rawValue: "number")
        /// A text.
        public static let string = ParameterType(rawValue: "string")
        /// Bytes.
        public static let data = ParameterType(rawValue: "data")
        /// A date.
        public static let date = ParameterType(rawValue: "date")
        /// A list of values.
        public static let array = ParameterType(rawValue: "array")
        /// Values by name.
        public static let dictionary = ParameterType(rawValue: "dictionary")

        /// The type of a value that some places do not have. A parameter that is added to a screen is optional, because
        /// places that were saved before do not have it.
        public var optional: ParameterType { rawValue.hasSuffix("?") ? self : ParameterType(rawValue: rawValue + "?") }
    }

    /// The screens.
    public var routes: [Route]
    /// The names of screens that the app no longer has. No screen may have such a name again: an older place would open
    /// another screen.
    public var removed: [String]

    /// Creates a manifest.
    public init(_ routes: [Route] = [], removed: [String] = []) {
        self.routes = routes
        self.removed = removed
    }

    /// Returns the route that has a name, or that had the name earlier. Nil if there is none.
    public func route(named name: String) -> Route? {
        routes.first { $0.name == name } ?? routes.first { $0.renamedFrom.contains(name) }
    }
}
