public import PlacekeeperArchive

/// A step of a place: a screen to navigate to.
@MainActor
public struct PlaceStep {
    /// The screen's name. A renamed screen has its current name here.
    public let screen: String
    /// The screen's title on the device that saved the place.
    public let title: String?
    /// The elements that the screen showed. Resolve them in the app's data sources.
    public let elements: [ModelReference]
    /// A coder for the screen's other values.
    public let parameters: StateDecoder
    /// How far the person was in the elements, from 0 to 1. If this device cannot find the exact position, show this
    /// fraction instead. `nil` if the app that saved the place set no progress.
    public let progress: Double?
}

extension PlaceStep {
    /// Returns the first of the app's parameters that meets a condition. Keys that begin with `placekeeper.` belong to
    /// the library.
    package func firstParameter(where isWanted: (String) -> Bool) -> String? {
        parameters.keys.first { !$0.hasPrefix("placekeeper.") && isWanted($0) }
    }
}

/// The app's own navigation, which can restore a place in any layout.
@MainActor
public protocol PlaceNavigating: AnyObject {
    /// Navigates to a screen from the screen of the previous step. Return false if the app does not know the screen, or
    /// if an element that it shows does not exist; the app then stays on the previous screen, and no more steps follow.
    ///
    /// A parameter that the manifest does not list for the screen comes from another version of the app, and also ends
    /// the place.
    func go(to step: PlaceStep) async -> Bool
    /// The app's screens and their earlier names. Empty by default: each screen keeps its saved name.
    var placeManifest: RouteManifest { get }
}

extension PlaceNavigating {
    /// An empty manifest.
    public var placeManifest: RouteManifest { RouteManifest() }
}

/// The result of restoring a place.
public struct PlaceRestoration: Sendable, Equatable {
    /// The names of the screens reached, in order.
    public var reached: [String]
    /// The name of the first screen that was not reached. `nil` if all were reached.
    public var stopped: String?
    /// Why the screen was not reached. `nil` if all were reached.
    public var reason: Reason?

    /// Creates a result.
    public init(reached: [String], stopped: String? = nil, reason: Reason? = nil) {
        self.reached = reached
        self.stopped = stopped
        self.reason = reason
    }

    /// Why a screen was not reached.
    public struct Reason: Sendable, Hashable {
        /// The kind of reason.
        public struct Code: RawRepresentable, Sendable, Hashable {
            /// The code, in kebab case.
            public var rawValue: String
            /// Creates a code.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// This version of the app does not know the screen.
            public static let unknownScreen = Code(rawValue: "unknown-screen")
            /// This version of the app does not know a parameter of the screen.
            public static let unknownParameter = Code(rawValue: "unknown-parameter")
            /// The app did not go to the screen, for example because an item is missing.
            public static let declined = Code(rawValue: "declined")
        }

        /// The kind of reason.
        public var code: Code
        /// The parameter that this version of the app does not know.
        public var parameter: String?

        /// Creates a reason.
        public init(_ code: Code, parameter: String? = nil) {
            self.code = code
            self.parameter = parameter
        }
    }
}

extension PlaceRestoration.Reason: CustomStringConvertible {
    /// The reason, as the end of a sentence about the screen.
    public var description: String {
        switch code {
        case .unknownScreen: "this version of the app does not know the screen"
        case .unknownParameter: "this version of the app does not know the parameter \"\(parameter ?? "")\""
        case .declined: "the app did not go to the screen"
        default: code.rawValue
        }
    }
}

/// A navigator that reports why it did not reach a step.
@MainActor
package protocol StepReaching: PlaceNavigating {
    /// Goes to a step. Returns nil if the app got there.
    func reach(_ step: PlaceStep) async -> PlaceRestoration.Reason?
}

extension PlaceNavigating {
    /// Goes to a step. Returns the reason if the app does not get there. Another version of the app may have screens
    /// and parameters that this version does not know.
    package func reason(against step: PlaceStep) async -> PlaceRestoration.Reason? {
        if let navigator = self as? any StepReaching { return await navigator.reach(step) }
        if let route = placeManifest.route(named: step.screen),
            let unknown = step.firstParameter(where: { route.parameters[$0] == nil })
        {
            return .init(.unknownParameter, parameter: unknown)
        }
        return await go(to: step) ? nil : declining(step)
    }

    /// Why the app did not go to a step.
    package func declining(_ step: PlaceStep) -> PlaceRestoration.Reason {
        let isUnknown = !placeManifest.routes.isEmpty && placeManifest.route(named: step.screen) == nil
        return .init(isUnknown ? .unknownScreen : .declined)
    }
}

extension StateArchive {
    /// Navigates to the archive's place step by step, and stops at the first step that the navigator cannot reach.
    /// Renamed screens are passed with their current names. `nil` if the archive has no place.
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
                parameters: StateDecoder(context, path: screen, state: step.parameters), progress: step.progress)
            if let reason = await navigator.reason(against: next) {
                return PlaceRestoration(reached: reached, stopped: screen, reason: reason)
            }
            reached.append(screen)
        }
        return PlaceRestoration(reached: reached)
    }
}
