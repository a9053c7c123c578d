public import KeyedArchive
public import StateRestoration

/// A screen of a navigation stack, such as a case of the app's route enum. The app gives each screen an explicit name, so
/// a renamed case or a renamed type still reads older places.
///
/// ```swift
/// enum Route: Hashable, Codable, PlaceRoute {
///     case book(id: String)
///     case search(text: String)
///
///     var placeName: String {
///         switch self {
///         case .book: "book"
///         case .search: "search"
///         }
///     }
///     var placeItems: [PlaceItem] {
///         if case .book(let id) = self { [PlaceItem(id, of: "books")] } else { [] }
///     }
///     var placeParameters: [String: StateValue] {
///         if case .search(let text) = self { ["text": .string(text)] } else { [:] }
///     }
///     init?(placeName: String, items: [PlaceItem], parameters: StateDecoder) {
///         switch placeName {
///         case "book":
///             guard let book = items.first else { return nil }
///             self = .book(id: book.identifier)
///         case "search":
///             guard let text = parameters.decodeString(forKey: "text") else { return nil }
///             self = .search(text: text)
///         default: return nil
///         }
///     }
/// }
/// ```
public protocol PlaceRoute: Hashable, Sendable {
    /// The screen's name, the same on every device and in every version of the app. The name `root` means the screen below
    /// all routes.
    var placeName: String { get }
    /// The title that a person sees. The default is nil.
    @MainActor var placeTitle: String? { get }
    /// The items that the screen shows. An identifier that differs between devices must be an item, because parameters
    /// are not translated. The default is none.
    var placeItems: [PlaceItem] { get }
    /// Other values that the screen needs, with the same meaning on every device. The default is none.
    var placeParameters: [String: StateValue] { get }
    /// The names of all routes, with their parameters and earlier names. A route of a saved place is made by its present
    /// name. The default is an empty manifest.
    static var placeManifest: RouteManifest { get }

    /// Makes the route anew. Return nil if the name is unknown, or an item or a parameter is missing: the app then stays
    /// on the previous screen.
    /// - Parameters:
    ///   - placeName: The saved name.
    ///   - items: The saved items, in order, with this device's identifiers.
    ///   - parameters: Reads the saved parameters.
    @MainActor init?(placeName: String, items: [PlaceItem], parameters: StateDecoder)
}

extension PlaceRoute {
    /// Nil.
    @MainActor public var placeTitle: String? { nil }
    /// No items.
    public var placeItems: [PlaceItem] { [] }
    /// No parameters.
    public var placeParameters: [String: StateValue] { [:] }
    /// An empty manifest.
    public static var placeManifest: RouteManifest { RouteManifest() }
}

/// An item of a list, by its identifier on this device.
public struct PlaceItem: Sendable, Hashable {
    /// The name of the list: `ModelAssociation.dataSourceName`.
    public var list: String
    /// The item's model identifier on this device.
    public var identifier: String

    /// Creates an item.
    public init(_ identifier: String, of list: String) {
        self.identifier = identifier
        self.list = list
    }
}
