public import KeyedArchive

/// How much of an archive a device can restore.
public enum RestorationFidelity: Sendable, Hashable {
    /// The state of every screen: they are laid out alike.
    case full
    /// Where the person was: the screens are laid out in another way.
    case place
    /// Nothing.
    case none
}

extension RestorationContext {
    /// How much of an archive this device can restore: the full state of the same idiom and, where both tell, the same
    /// layout; otherwise the place, if it has one. Versions are for the app's gate, and the service's policy.
    public func fidelity(for archive: StateArchive) -> RestorationFidelity {
        let isAlike =
            archive.idiom == idiom.rawValue && (archive.layout == nil || layout == nil || archive.layout == layout)
        if isAlike { return .full }
        return archive.place == nil ? .none : .place
    }
}
