import KeyedArchive

/// What a person sees while an app launches, until its interface stands (seed rows 55 to 57).
public struct LaunchAppearance: Sendable, Hashable {
    /// The picture that is shown first.
    public enum Image: Sendable, Hashable {
        /// That of the interface as it was when its state was saved, which is what will be restored.
        case snapshot
        /// The app's own launch image.
        case standard
    }

    /// How the interface takes the picture's place.
    public enum Transition: Sendable, Hashable {
        /// At once: they are the same, or nothing is restored.
        case none
        /// By a fade: the restored interface is not what the picture shows.
        case fade
    }

    /// The picture that is shown first.
    public var image: Image
    /// How the interface takes its place.
    public var transition: Transition

    /// Tells what is seen.
    public init(image: Image, transition: Transition) {
        self.image = image
        self.transition = transition
    }

    /// There is either a snapshot that matches what is restored, or the launch image; nothing else.
    static func of(restoring: Bool, snapshotMatches: Bool) -> LaunchAppearance {
        guard restoring else { return LaunchAppearance(image: .standard, transition: .none) }
        return snapshotMatches
            ? LaunchAppearance(image: .snapshot, transition: .none)
            : LaunchAppearance(image: .standard, transition: .fade)
    }
}

/// What is in front of an interface.
@MainActor
enum Front {
    /// The view controllers that a person sees, in each window: the last one of a stack, the visible columns of a split
    /// view, and a presented view controller in place of the one that presents it.
    static func of(_ roots: [any RestorableViewController]) -> [any RestorableViewController] {
        var shown: [any RestorableViewController] = []
        var stack: [any RestorableViewController] = roots.reversed()
        var visited: Set<ObjectIdentifier> = []
        while let next = stack.popLast() {
            guard visited.insert(ObjectIdentifier(next)).inserted else { continue }
            let inner = inFront(of: next)
            if inner.isEmpty { shown.append(next) }
            stack += inner.reversed()
        }
        return shown
    }

    private static func inFront(of viewController: any RestorableViewController) -> [any RestorableViewController] {
        if let presented = viewController.restorablePresented { return [presented] }
        if let stack = viewController as? any NavigationContaining { return stack.restorableStack.suffix(1) }
        if let split = viewController as? any SplitContaining { return split.visibleColumns }
        return viewController.placeChildren
    }
}

extension StateArchive {
    /// The paths of the view controllers that the system's picture shows; nil when the picture is not to be shown.
    var shown: [String]? {
        guard application[ReservedKey.ignoresSnapshot] != .boolean(true),
            case .array(let paths)? = application[ReservedKey.shown]
        else { return nil }
        return paths.compactMap { if case .object(let path) = $0 { path } else { nil } }
    }
}

extension RestorableViewController {
    /// Whether a list of this screen, or of one of its views, still waits for elements that it showed.
    var awaitsElements: Bool {
        var views = restorableViews
        var visited: Set<ObjectIdentifier> = []
        while let view = views.popLast() {
            guard visited.insert(ObjectIdentifier(view)).inserted else { continue }
            if (view as? any ListContaining)?.pendingList != nil { return true }
            views += view.restorableSubviews
        }
        return false
    }
}
