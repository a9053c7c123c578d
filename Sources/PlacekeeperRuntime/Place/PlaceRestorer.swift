public import PlacekeeperArchive

/// A step of a place: a screen to which the app navigates.
@MainActor
public struct PlaceStep {
    /// The screen's name. An earlier name of the screen is replaced by the present name.
    public let screen: String
    /// The screen's title on the device that saved the place.
    public let title: String?
    /// The elements that the screen showed. Resolve them in the app's data sources.
    public let elements: [ModelReference]
    /// The coder that reads the screen's other values.
    public let parameters: StateDecoder
}

/// The app's own navigation, which restores a place in any layout.
@MainActor
public protocol PlaceNavigating: AnyObject {
    /// Navigates to a screen from the screen of the previous step. Return false if the screen, or an element that it
    /// shows, no longer exists. In this case, the app stays on the previous screen, and no further step follows.
    func go(to step: PlaceStep) async -> Bool
    /// The app's screens, with their earlier names. The default is an empty manifest: each screen keeps its saved name.
    var placeManifest: RouteManifest { get }
}

extension PlaceNavigating {
    /// An empty manifest.
    public var placeManifest: RouteManifest { RouteManifest() }
}

/// The result of restoring a place.
public struct PlaceRestoration: Sendable, Hashable {
    /// The names of the screens that were reached, in order.
    public var reached: [String]
    /// The name of the first screen that was not reached. Nil if all screens were reached.
    public var stopped: String?

    /// Creates a result.
    public init(reached: [String], stopped: String? = nil) {
        self.reached = reached
        self.stopped = stopped
    }
}

extension StateArchive {
    /// Navigates to the archive's place step by step, and stops at the first step that the navigator cannot reach.
    /// A screen that the navigator's manifest renamed has its present name. Nil if the archive has no place.
    @MainActor
    public func restorePlace(through navigator: any PlaceNavigating) async -> PlaceRestoration? {
        guard let place else { return nil }
        let context = DecodingContext(self, storyboards: [:])
        let manifest = navigator.placeManifest
        var reached: [String] = []
        for step in place.steps {
            let screen = manifest.route(named: step.screen)?.name ?? step.screen
            let next = PlaceStep(
                screen: screen, title: step.title,
                elements: step.references.compactMap { references.indices.contains($0) ? references[$0] : nil },
                parameters: StateDecoder(context, path: screen, state: step.parameters))
            guard await navigator.go(to: next) else {
                return PlaceRestoration(reached: reached, stopped: screen)
            }
            reached.append(screen)
        }
        return PlaceRestoration(reached: reached)
    }
}
