public import KeyedArchive

/// A step of a place, as the app goes to it.
@MainActor
public struct PlaceStep {
    /// The screen's name.
    public let screen: String
    /// What a person was shown of it.
    public let title: String?
    /// The elements that the screen showed, to be found in the app's data sources.
    public let elements: [ModelReference]
    /// What else the screen was given.
    public let parameters: StateDecoder
}

/// The app's own navigation, by which a place is restored whatever the layout.
@MainActor
public protocol PlaceNavigating: AnyObject {
    /// Goes to a screen from where the step before has led. False when it does not exist any more, or its element is
    /// gone: the app stays where it is.
    func go(to step: PlaceStep) async -> Bool
}

/// How far a place could be restored.
public struct PlaceRestoration: Sendable, Hashable {
    /// The names of the screens that were reached.
    public var reached: [String]
    /// The name of the first screen that was not; nil when all were.
    public var stopped: String?

    /// Tells how far it went.
    public init(reached: [String], stopped: String? = nil) {
        self.reached = reached
        self.stopped = stopped
    }
}

extension StateArchive {
    /// Goes to the archive's place step by step, and stops at the last step that still exists. Nil when it has no place.
    @MainActor
    public func restorePlace(through navigator: any PlaceNavigating) async -> PlaceRestoration? {
        guard let place else { return nil }
        let context = DecodingContext(self, storyboards: [:])
        var reached: [String] = []
        for step in place.steps {
            let next = PlaceStep(
                screen: step.screen, title: step.title,
                elements: step.references.compactMap { references.indices.contains($0) ? references[$0] : nil },
                parameters: StateDecoder(context, path: step.screen, state: step.parameters))
            guard await navigator.go(to: next) else {
                return PlaceRestoration(reached: reached, stopped: step.screen)
            }
            reached.append(step.screen)
        }
        return PlaceRestoration(reached: reached)
    }
}
