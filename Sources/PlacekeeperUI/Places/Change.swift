import PlacekeeperClient

/// A change of a window, by its author.
enum Change: Int, Comparable {
    /// The app made it: a first selection, data that arrived, a scroll by the layout.
    case program
    /// The person made it, as far as the place can tell.
    case person
    /// The app says that the person made it.
    case marked

    /// - Parameter isInteraction: Whether the person made the change. Nil if the app does not say it.
    @MainActor
    init(_ isInteraction: Bool?, in place: KeptPlace) {
        switch isInteraction {
        case true?: self = .marked
        case false?: self = .program
        case nil: self = place.isPersonsTurn ? .person : .program
        }
    }

    /// The interaction of a state with the change.
    var interaction: Interaction {
        switch self {
        case .program: .none
        case .person: .ifChanged
        case .marked: .now
        }
    }

    static func < (one: Change, other: Change) -> Bool { one.rawValue < other.rawValue }
}

extension KeptPlace {
    /// Whether a change that the app does not mark counts as the person's. A touch or a key proves that the person acts.
    /// Without one, only a window whose input nobody sees gets the benefit of the doubt, and only after its launch.
    var isPersonsTurn: Bool { hasInput || (hasLaunched && !isRestoring && seesInput?() != true) }
}
