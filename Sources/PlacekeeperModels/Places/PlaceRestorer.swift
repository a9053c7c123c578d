public import PlacekeeperArchive

/// A step of a place: a screen to navigate to.
@MainActor
public struct PlaceStep {
    /// The screen's name.
    public let screen: String
    /// The screen's title on the device that saved the place.
    public let title: String?
    /// The elements that the screen showed. Resolve them in the app's data sources.
    public let elements: [ModelReference]
    /// How far the person was in the elements, from 0 to 1. If this device cannot find the exact position, show this
    /// fraction instead. `nil` if the app that saved the place set no progress.
    public let progress: Double?
    /// The screen's other values. A reference is an index in `elements`.
    package let values: [String: StateValue]
    /// The screen's values as saved. A reference is an index in the archive.
    package let saved: [String: StateValue]
    /// The archive of the place.
    package let archive: StateArchive
}

/// The app's own navigation, which can restore a place in any layout.
@MainActor
public protocol PlaceNavigating: AnyObject {
    /// Navigates to a screen from the screen of the previous step. Return false if the app does not know the screen, or
    /// if an element that it shows does not exist; the app then stays on the previous screen, and no more steps follow.
    func go(to step: PlaceStep) async -> Bool
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
    /// Goes to a step. Returns the reason if the app does not get there.
    package func reason(against step: PlaceStep) async -> PlaceRestoration.Reason? {
        if let navigator = self as? any StepReaching { return await navigator.reach(step) }
        return await go(to: step) ? nil : .init(.declined)
    }
}

extension StateArchive {
    /// Navigates to the archive's place step by step, and stops at the first step that the navigator cannot reach.
    /// `nil` if the archive has no place.
    @MainActor
    public func restorePlace(through navigator: any PlaceNavigating) async -> PlaceRestoration? {
        guard let place else { return nil }
        var reached: [String] = []
        for step in place.steps {
            let screen = step.screen
            let (elements, values) = elementsAndValues(of: step)
            let next = PlaceStep(
                screen: screen, title: step.title, elements: elements,
                progress: step.progress, values: values, saved: step.parameters, archive: self)
            if let reason = await navigator.reason(against: next) {
                return PlaceRestoration(reached: reached, stopped: screen, reason: reason)
            }
            reached.append(screen)
        }
        return PlaceRestoration(reached: reached)
    }
}

extension StateArchive {
    /// Returns the elements of a step, and its values without those of the place. In the values, a reference is an index
    /// in the elements.
    package func elementsAndValues(of step: Place.Step) -> ([ModelReference], [String: StateValue]) {
        let indices = step.references.filter(references.indices.contains)
        let positions = Dictionary(indices.enumerated().map { ($1, $0) }) { first, _ in first }
        let values = step.parameters.withoutPlaceValues.compactMapValues { value in
            value.movingReferences { positions[$0] }
        }
        return (indices.map { references[$0] }, values)
    }
}
