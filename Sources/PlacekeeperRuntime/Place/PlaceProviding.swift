public import PlacekeeperArchive

/// A screen that adds steps to the place. A step has a name, elements and parameters, which have the same meaning on
/// every device and in every layout.
@MainActor
public protocol PlaceProviding: RestorableViewController {
    /// Adds this screen's steps to the place. Most screens have one step.
    func encodePlace(with coder: PlaceEncoder)
}

/// Collects the steps of a place.
@MainActor
public final class PlaceEncoder {
    private let context: EncodingContext
    private(set) var steps: [Place.Step] = []
    /// The address of the place on the app's website, for a device without the app and for Handoff
    /// (`NSUserActivity.webpageURL`). If several screens set the address, the last one is saved. An address that
    /// `Place.isWebAddress(_:)` does not accept becomes nil, and the restoration log reports it.
    public var webAddress: String? {
        didSet {
            guard let webAddress, !Place.isWebAddress(webAddress) else { return }
            context.lint("", "webAddress", .unwritable)
            self.webAddress = nil
        }
    }

    init(_ context: EncodingContext) { self.context = context }

    /// Adds a step.
    /// - Parameters:
    ///   - screen: The screen's name, the same on every device.
    ///   - title: The title that a person sees for this step.
    ///   - elements: The list elements that the screen shows.
    ///   - parameters: Other values that the screen needs. A step has at most 2,048 bytes. If the step is larger, or if
    ///     an archive cannot hold the step's title or parameters, the title and the parameters are left out, and the
    ///     restoration log reports the step.
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

    /// Collects the steps from the root screens to the visible screens. A screen comes before its children, and a
    /// presented screen comes after the children of the screen that presents it.
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

    /// The place with the collected steps. Nil if there is neither a step nor a web address. A place holds at most 64 steps, the limit of the
    /// format: further steps are left out.
    var place: Place? {
        guard !steps.isEmpty || webAddress != nil else { return nil }
        if steps.count > Place.maximumStepCount {
            context.lint("", "place", .large(bytes: steps.count, budget: Place.maximumStepCount))
        }
        return Place(Array(steps.prefix(Place.maximumStepCount)), webAddress: webAddress)
    }
}
