public import PlacekeeperArchive
public import PlacekeeperRuntime

/// A screen as the navigator describes it: a step of a place before it is saved.
public struct RouteStep: Sendable, Hashable {
    /// The screen's name, the same on every device and in every version of the app.
    public var screen: String
    /// The title that the user sees.
    public var title: String?
    /// The elements that the screen shows. Only these references are translated for other devices.
    public var elements: [ModelReference]
    /// Other values that the screen needs. A value whose key is on the deny-list isn't saved. For a declared parameter,
    /// only `DenyList.entries` counts.
    public var parameters: [String: StateValue]
    /// How far the user has got in the elements, from 0 to 1. Nil if the screen has no beginning and end.
    public var progress: Double?

    /// Creates a step.
    public init(
        _ screen: String, title: String? = nil, elements: [ModelReference] = [], parameters: [String: StateValue] = [:],
        progress: Double? = nil
    ) {
        self.screen = screen
        self.title = title
        self.elements = elements
        self.parameters = parameters
        self.progress = progress
    }
}

/// The app's own navigation, which describes its place and can go to another.
@MainActor
public protocol PlaceNavigator: PlaceNavigating {
    /// The screens, from the first to the frontmost.
    ///
    /// A step is limited to 2,048 bytes: if it is larger, its largest values are left out, as are values that an
    /// archive can't hold. If the screen and its items alone are too large, the place ends before this step. At most 64
    /// steps are saved. `KeptPlace.omissions` lists everything that is left out.
    var placeSteps: [RouteStep] { get }
    /// The place's address on the app's website. Not saved unless `Place.isWebAddress(_:)` accepts it. The default is
    /// nil.
    var placeWebAddress: String? { get }
    /// Returns to the app's first screen. The steps of a place follow, each with a call of `go(to:)`.
    func goToFirstScreen() async
}

extension PlaceNavigator {
    /// Nil.
    public var placeWebAddress: String? { nil }
}
