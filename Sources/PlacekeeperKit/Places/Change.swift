import PlacekeeperClient

/// Who made a change in a window.
enum Change: Int, Comparable {
    /// The app: a first selection, arrived data, or scrolling caused by layout.
    case program
    /// The user, as far as the place can tell.
    case person
    /// The user, according to the app.
    case marked

    /// - Parameter isInteraction: Whether the user made the change. Nil if the app doesn't say.
    @MainActor
    init(_ isInteraction: Bool?, in place: KeptPlace) {
        switch isInteraction {
        case true?: self = .marked
        case false?: self = .program
        case nil: self = place.isPersonsTurn ? .person : .program
        }
    }

    /// The interaction to save with the change.
    var interaction: Placekeeper.Interaction {
        switch self {
        case .program: .viewing
        case .person: .ifChanged
        case .marked: .now
        }
    }

    static func < (one: Change, other: Change) -> Bool { one.rawValue < other.rawValue }
}

extension KeptPlace {
    /// Whether a change that the app doesn't mark counts as the user's. A touch or a key proves that the user is
    /// acting. In a window whose input isn't observed, changes count without this proof, but only after the launch.
    var isPersonsTurn: Bool { hasInput || (launched != .never && restoring == nil && seesInput?() != true) }
}
