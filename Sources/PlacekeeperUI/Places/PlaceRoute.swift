public import PlacekeeperArchive
public import PlacekeeperRuntime

/// A screen of a navigation stack, such as a case of the app's route enum. A saved place contains the names of its
/// screens, so a name must never change between versions of the app.
///
/// ```swift
/// enum Route: Codable, PlaceRoute {
///     case book(id: String)
///     case find(text: String)
///
///     static let placeManifest = RouteManifest([
///         .init("book", items: ["id": "books"]),
///         .init("find", parameters: ["text": .string], renamedFrom: ["search"]),
///     ])
/// }
/// ```
/// For a `Codable` enum, the compiler writes the coded form, in which the route is saved: the name of the case is the
/// screen's name, and each associated value is an item or a parameter. The manifest says which values are items of
/// which list. An item is a string, a whole number or a `UUID`. A parameter is a Boolean, an integer, a `Double`, a
/// `String`, `Data`, a `Date`, an enum with such raw values, an array of such values, or nil. If you rename a case or a
/// label in the code, keep the saved name with `CodingKeys`, or with `BookCodingKeys` for the labels of the case
/// `book`:
///
/// ```swift
/// enum CodingKeys: String, CodingKey { case book, find = "search" }
/// ```
/// A route of another type implements the requirements itself, and so does a route that names its items in its own way.
public protocol PlaceRoute: Hashable, Sendable {
    /// The screen's name, the same on every device and in every version of the app. The name `root` is reserved for the
    /// screen below all routes. The default for a `Codable` enum is the name of the case.
    var placeName: String { get }
    /// The title that the user sees. The default is nil.
    @MainActor var placeTitle: String? { get }
    /// The items that the screen shows. An identifier that differs between devices must be an item, because parameters
    /// aren't translated. The default is none; for a `Codable` enum, it is the values that the manifest lists as items.
    var placeItems: [PlaceItem] { get }
    /// Other values that the screen needs, with the same meaning on every device. The default is none; for a `Codable`
    /// enum, it is the associated values that aren't items.
    var placeParameters: [String: StateValue] { get }
    /// How far the user has got in the items, from 0 to 1, such as 0.42 of a book. With it, an offer can say whether
    /// its place is ahead or behind (`Offer.progress`). The default is nil.
    @MainActor var placeProgress: Double? { get }
    /// The names of all routes, with their parameters and earlier names. A saved route is created under its current
    /// name. The default is an empty manifest.
    static var placeManifest: RouteManifest { get }

    /// Recreates the route. Return nil if the name is unknown, or if an item or a parameter is missing: the app then
    /// remains on the previous screen. It also remains there if the step has a parameter that the route neither saves
    /// again nor declares in its manifest: such a parameter comes from a newer version of the app. A `Codable` enum has
    /// a default.
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
    /// Nil.
    @MainActor public var placeProgress: Double? { nil }
    /// An empty manifest.
    public static var placeManifest: RouteManifest { RouteManifest() }
}

/// An item of a list, identified as on this device.
public struct PlaceItem: Sendable, Hashable {
    /// The name of the list: `ModelAssociation.dataSourceName`.
    public var list: String
    /// The item's model identifier on this device. Compared by its UTF-8 bytes.
    public var identifier: String {
        get { name.text }
        set { name = ByteText(newValue) }
    }
    private var name: ByteText

    /// Creates an item.
    public init(_ identifier: String, of list: String) {
        name = ByteText(identifier)
        self.list = list
    }
}
