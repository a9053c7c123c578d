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
    /// Whether a step could not be saved. A later step without it would lead to another screen.
    private var isFull = false
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
    ///   - parameters: Other values that the screen needs. A step has at most 2,048 bytes. If it is larger, its largest
    ///     values are left out, and so is a title or a parameter that an archive cannot hold. The screen and its elements
    ///     stay, and the restoration log reports each value. A step whose screen and elements alone are too large ends the
    ///     place.
    ///   - progress: How far the person is in the elements, from 0 to 1. Nil if the screen has no beginning and end.
    public func addStep(
        screen: String, title: String? = nil, elements: [ModelReference] = [], parameters: [String: StateValue] = [:],
        progress: Double? = nil
    ) {
        let references = elements.map(context.index)
        let fitted = FittedStep(
            Place.Step(
                screen: screen, title: title, references: references, parameters: parameters, progress: progress),
            referenceCount: context.references.count)
        for omission in fitted.omissions { context.lint("place/" + screen, omission.name, omission.reason) }
        guard !isFull else { return }
        guard let step = fitted.step else {
            isFull = true
            return context.lint("place", screen, .unwritable)
        }
        steps.append(step)
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

    /// The place with the collected steps. Nil if there is neither a step nor a web address. A place holds at most 64
    /// steps, the limit of the format: further steps are left out.
    var place: Place? {
        guard !steps.isEmpty || webAddress != nil else { return nil }
        if steps.count > Place.maximumStepCount {
            context.lint("place", "steps", .leftOut(size: steps.count, limit: Place.maximumStepCount))
        }
        return Place(Array(steps.prefix(Place.maximumStepCount)), webAddress: webAddress)
    }
}
