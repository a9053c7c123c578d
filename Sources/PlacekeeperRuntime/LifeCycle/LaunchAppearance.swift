import PlacekeeperArchive

/// The launch image, and the transition from it to the app's interface (seed rows 55 to 57).
public struct LaunchAppearance: Sendable, Equatable {
    /// An image shown at launch.
    public enum Image: Sendable, Hashable {
        /// The snapshot of the interface that the system took when the state was saved.
        case snapshot
        /// The app's own launch image.
        case standard
    }

    /// The transition from the image to the interface.
    public enum Transition: Sendable, Hashable {
        /// No transition: image and interface look the same, or no state is restored.
        case none
        /// A fade, because the image does not match the restored interface.
        case fade
    }

    /// The image shown at launch.
    public var image: Image
    /// The transition from the image to the interface.
    public var transition: Transition

    /// Creates an appearance.
    public init(image: Image, transition: Transition) {
        self.image = image
        self.transition = transition
    }

    /// Returns the snapshot if it matches the restored interface, or else the app's own launch image, with a fade if
    /// state is restored.
    static func of(restoring: Bool, snapshotMatches: Bool) -> LaunchAppearance {
        guard restoring else { return LaunchAppearance(image: .standard, transition: .none) }
        return snapshotMatches
            ? LaunchAppearance(image: .snapshot, transition: .none)
            : LaunchAppearance(image: .standard, transition: .fade)
    }
}

/// Finds the visible view controllers of an interface.
@MainActor
enum Front {
    /// Returns the visible view controllers of all windows: the top of a stack, the selected tab, the visible columns
    /// of a split view, and a presented view controller instead of the one that presents it.
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
    /// The paths of the view controllers in the system's snapshot. `nil` if the snapshot must not be shown, or if the
    /// archive does not contain these paths.
    var shown: [String]? {
        guard application[ReservedKey.ignoresSnapshot] != .boolean(true),
            case .array(let paths)? = application[ReservedKey.shown]
        else { return nil }
        return paths.compactMap { if case .object(let path) = $0 { path } else { nil } }
    }
}

extension RestorableViewController {
    /// Whether a view of this screen, at any depth, is a list whose saved elements have not all been found.
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
