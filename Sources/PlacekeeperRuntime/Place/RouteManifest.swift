/// The screens of an app's places, with their parameters and earlier names.
///
/// ```swift
/// static let placeManifest = RouteManifest([
///     .init("book", items: ["id": "books"]),
///     .init("find", parameters: ["text": .string], renamedFrom: ["search"]),
/// ])
/// ```
/// A saved place contains the names of its screens, and other versions of the app may restore it. So list a renamed
/// screen's earlier names: `StateArchive.restorePlace(through:)` then goes to the screen under its current name. The
/// library `PlacekeeperTesting` compares a manifest with a committed file (`check(against:)`).
public struct RouteManifest: Sendable, Hashable {
    /// A screen of a place.
    public struct Route: Sendable, Hashable {
        /// The screen's name in saved places.
        public var name: String
        /// The lists that the screen's items belong to, in the order of the items.
        public var items: [String]
        /// For routes that are a `Codable` enum: the labels of the associated values that are items, in the same order.
        /// Empty for other routes. Not saved.
        public var itemLabels: [String] = []
        /// The names and types of the screen's other values.
        public var parameters: [String: ParameterType]
        /// The screen's names in earlier versions of the app.
        public var renamedFrom: [String]

        /// Creates a route whose items are set in code.
        public init(
            _ name: String, items: [String] = [], parameters: [String: ParameterType] = [:], renamedFrom: [String] = []
        ) {
            self.name = name
            self.items = items
            self.parameters = parameters
            self.renamedFrom = renamedFrom
        }

        /// Creates a route that is a case of a `Codable` enum. `items` maps the labels of associated values to lists:
        /// `["id": "books"]`. Values without a label are called `_0`, `_1` and so on, by position.
        public init(
            _ name: String, items: KeyValuePairs<String, String>, parameters: [String: ParameterType] = [:],
            renamedFrom: [String] = []
        ) {
            self.init(name, items: items.map(\.value), parameters: parameters, renamedFrom: renamedFrom)
            itemLabels = items.map(\.key)
        }
    }

    /// The type of a parameter, as written in the committed file.
    public struct ParameterType: RawRepresentable, Sendable, Hashable {
        /// The type's name, such as `string` or `string?`.
        public let rawValue: String

        /// Creates a type from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A Boolean.
        public static let boolean = ParameterType(rawValue: "boolean")
        /// An integer.
        public static let integer = ParameterType(rawValue: "integer")
        /// A floating-point number.
        public static let number = ParameterType(rawValue: "number")
        /// A string.
        public static let string = ParameterType(rawValue: "string")
        /// Bytes.
        public static let data = ParameterType(rawValue: "data")
        /// A date.
        public static let date = ParameterType(rawValue: "date")
        /// An array.
        public static let array = ParameterType(rawValue: "array")
        /// A dictionary.
        public static let dictionary = ParameterType(rawValue: "dictionary")

        /// The type, made optional. A parameter that is added to a screen later must be optional, because places saved
        /// before lack it.
        public var optional: ParameterType { rawValue.hasSuffix("?") ? self : ParameterType(rawValue: rawValue + "?") }
    }

    /// The screens.
    public var routes: [Route]
    /// The names of screens that were removed from the app. Do not reuse them: an older place would open the wrong
    /// screen.
    public var removed: [String]

    /// Creates a manifest.
    public init(_ routes: [Route] = [], removed: [String] = []) {
        self.routes = routes
        self.removed = removed
    }

    /// Returns the route with a name, or that had the name earlier. `nil` if there is none.
    public func route(named name: String) -> Route? {
        routes.first { $0.name == name } ?? routes.first { $0.renamedFrom.contains(name) }
    }
}
