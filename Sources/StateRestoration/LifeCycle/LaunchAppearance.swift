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
    /// The view controller that is in front of all; nil without a root.
    static func of(_ roots: [any RestorableViewController]) -> (any RestorableViewController)? {
        var front = roots.last
        var visited: Set<ObjectIdentifier> = []
        while let next = front?.restorablePresented ?? front?.placeChildren.last,
            visited.insert(ObjectIdentifier(next)).inserted
        {
            front = next
        }
        return front
    }
}

extension StateArchive {
    /// Whether the system's picture of the interface that was saved is not to be shown.
    var ignoresSnapshot: Bool { application[ReservedKey.ignoresSnapshot] == .boolean(true) }
}
