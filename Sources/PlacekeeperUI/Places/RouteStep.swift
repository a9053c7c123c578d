public import PlacekeeperArchive
public import PlacekeeperRuntime

/// A screen that a navigator names: a step of a place, before it is saved.
public struct RouteStep: Sendable, Hashable {
    /// The screen's name. It is the same on every device and in every version of the app.
    public var screen: String
    /// The title that a person sees.
    public var title: String?
    /// The elements that the screen shows. Only references are translated for other devices.
    public var elements: [ModelReference]
    /// Other values that the screen needs. A value whose key the deny-list denies is not saved. A declared parameter is
    /// denied by `DenyList.entries` only.
    public var parameters: [String: StateValue]
    /// How far the person is in the elements, from 0 to 1. Nil if the screen has no beginning and end.
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

/// The app's own navigation: it names the place, and goes to a place.
@MainActor
public protocol PlaceNavigator: PlaceNavigating {
    /// The screens from the first screen to the frontmost screen.
    ///
    /// A step has at most 2,048 bytes: the largest values of a larger step are left out, and so are values that an archive
    /// cannot hold. If the screen and its items alone are too large, the place ends before them. At most 64 steps are
    /// saved. `KeptPlace.omissions` has everything that is left out.
    var placeSteps: [RouteStep] { get }
    /// The address of the place on the app's website. An address that `Place.isWebAddress(_:)` does not accept is not
    /// saved. The default is nil.
    var placeWebAddress: String? { get }
    /// Returns to the app's first screen. The steps of a place follow, each by `go(to:)`.
    func goToFirstScreen() async
}

extension PlaceNavigator {
    /// Nil.
    public var placeWebAddress: String? { nil }
}
