/// What an offer on another device says about a screen. The app's routes, or its whole state, may adopt it.
///
/// ```swift
/// extension Route: PlaceScreen {
///     var placeTitle: String? { if case .search(let text) = self { "Search for \(text)" } else { nil } }
/// }
/// ```
@MainActor
public protocol PlaceScreen {
    /// The title that the user sees. Defaults to nil: the title is then the `placeTitle` of the screen's first item.
    var placeTitle: String? { get }
    /// How far the user has got in the screen's items, from 0 to 1, such as 0.42 of a book. An offer can then say
    /// whether its place is ahead or behind. Nil by default.
    var placeProgress: Double? { get }
}

extension PlaceScreen {
    /// Nil.
    public var placeTitle: String? { nil }
    /// Nil.
    public var placeProgress: Double? { nil }
}
