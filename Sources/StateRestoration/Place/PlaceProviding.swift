public import KeyedArchive

/// A screen that tells of itself as a step of the place: by a name, elements and parameters that every device of the app
/// understands, however it lays out its screens.
@MainActor
public protocol PlaceProviding: RestorableViewController {
    /// Adds this screen's steps; most have one.
    func encodePlace(with coder: PlaceEncoder)
}

/// Takes the steps of a place.
@MainActor
public final class PlaceEncoder {
    private let context: EncodingContext
    private(set) var steps: [Place.Step] = []

    init(_ context: EncodingContext) { self.context = context }

    /// Adds a step.
    /// - Parameters:
    ///   - screen: the screen's name, the same on every device.
    ///   - title: what a person is shown of it.
    ///   - elements: the elements of lists that the screen shows.
    ///   - parameters: what else it needs. A step has 2,048 bytes at most. Of a larger step, and of one that an archive
    ///     cannot hold, the title and the parameters are left out, and the log tells.
    public func addStep(
        screen: String, title: String? = nil, elements: [ModelReference] = [], parameters: [String: StateValue] = [:]
    ) {
        let references = elements.map(context.index)
        let step = Place.Step(screen: screen, title: title, references: references, parameters: parameters)
        if step.size > Place.maximumStepSize {
            context.lint("", screen, .large(bytes: step.size, budget: Place.maximumStepSize))
        } else if title?.hasLongCombiningRun == true || !context.canWrite(parameters) {
            context.lint("", screen, .unwritable)
        } else {
            return steps.append(step)
        }
        steps.append(Place.Step(screen: screen, references: references))
    }

    /// Walks from the roots down to what is in front: each screen before what it leads to, and last what is presented.
    func walk(_ roots: [any RestorableViewController]) {
        var stack: [any RestorableViewController] = roots.reversed()
        var visited: Set<ObjectIdentifier> = []
        while let viewController = stack.popLast() {
            guard visited.insert(ObjectIdentifier(viewController)).inserted else { continue }
            (viewController as? any PlaceProviding)?.encodePlace(with: self)
            if let presented = viewController.restorablePresented { stack.append(presented) }
            stack += viewController.placeChildren.reversed()
        }
    }

    /// The place; nil without a step. It ends with the last of the 64 steps that the format has room for.
    var place: Place? {
        guard !steps.isEmpty else { return nil }
        if steps.count > Place.maximumStepCount {
            context.lint("", "place", .large(bytes: steps.count, budget: Place.maximumStepCount))
        }
        return Place(Array(steps.prefix(Place.maximumStepCount)))
    }
}
