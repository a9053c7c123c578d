public import PlacekeeperArchive

/// A screen that adds steps to the place. A step has a name, elements and parameters that mean the same on every device
/// and in every layout.
@MainActor
public protocol PlaceProviding: RestorableViewController {
    /// Adds this screen's steps to the place, usually one.
    func encodePlace(with coder: PlaceEncoder)
}

/// Collects the steps of a place.
@MainActor
public final class PlaceEncoder {
    private let context: EncodingContext
    private(set) var steps: [Place.Step] = []
    /// Whether a step could not be saved. Later steps are then dropped, because without it they would lead to another
    /// screen.
    private var isFull = false
    /// The bytes that the steps leave of `Place.maximumSize`.
    private var room = Place.maximumSize
    /// The address of the place on the app's website, for devices without the app and for Handoff
    /// (`NSUserActivity.webpageURL`). If several screens set it, the last one wins. An address that
    /// `Place.isWebAddress(_:)` rejects becomes nil, and the restoration log reports it.
    public var webAddress: String? {
        didSet {
            guard let webAddress, !Place.isWebAddress(webAddress) else { return }
            context.lint("", "webAddress", .unwritable)
            self.webAddress = nil
        }
    }

    init(_ context: EncodingContext) { self.context = context }

    /// Adds a step.
    ///
    /// All steps together may have up to 131,072 bytes. If this step is too large, its largest values are left out, as is
    /// a title or parameter that an archive cannot hold; the restoration log reports each of them. The screen and its
    /// elements are always kept. If they alone are too large, the place ends before this step.
    /// - Parameters:
    ///   - screen: The screen's name, the same on every device.
    ///   - title: The title that a person sees for this step.
    ///   - elements: The list elements that the screen shows.
    ///   - parameters: Other values that the screen needs.
    ///   - progress: How far the person is in the elements, from 0 to 1. `nil` if the screen has no beginning and end.
    public func addStep(
        screen: String, title: String? = nil, elements: [ModelReference] = [], parameters: [String: StateValue] = [:],
        progress: Double? = nil
    ) {
        let references = elements.map(context.index)
        let fitted = FittedStep(
            Place.Step(
                screen: screen, title: title, references: references, parameters: parameters, progress: progress),
            referenceCount: context.references.count, room: room)
        for omission in fitted.omissions {
            context.lint("place/" + screen, omission.name, RestorationLint(omission.reason))
        }
        guard !isFull else { return }
        guard let step = fitted.step else {
            isFull = true
            return context.lint("place", screen, .unwritable)
        }
        steps.append(step)
        room -= step.size
    }

    /// Collects the steps from the root screens to the visible screens: a screen before its children, and a presented
    /// screen after the children of the screen that presents it.
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

    /// The place with the collected steps. `nil` if there are no steps and no web address. Steps beyond 64, the limit
    /// of the format, are left out.
    var place: Place? {
        guard !steps.isEmpty || webAddress != nil else { return nil }
        if steps.count > Place.maximumStepCount {
            context.lint("place", "steps", .leftOut(size: steps.count, limit: Place.maximumStepCount))
        }
        return Place(Array(steps.prefix(Place.maximumStepCount)), webAddress: webAddress)
    }
}

extension RestorationLint {
    init(_ reason: FittedStep.Reason) {
        self =
            switch reason {
            case .unwritable: .unwritable
            case .tooLarge(let size): .leftOut(size: size, limit: Place.maximumSize)
            }
    }
}

extension PlaceStep {
    /// A coder for the screen's other values.
    public var parameters: StateDecoder {
        StateDecoder(DecodingContext(archive, storyboards: [:]), path: screen, state: saved)
    }
}
