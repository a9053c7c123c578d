public import KeyedArchive

/// How much of an archive a device can restore, by the names that the service has for it.
public enum RestorationFidelity: String, Sendable, Hashable {
    /// The state of every screen: they are laid out alike.
    case full
    /// Where the person was: the screens are laid out in another way.
    case place
    /// Nothing.
    case none
}

extension RestorationContext {
    /// How much of an archive this device can restore. The service decides by the app's policy, which may accept the
    /// state of another idiom or refuse that of an older version: its word holds.
    ///
    /// Of the app's own archive, that is the full state of the same idiom and, where both tell, the same layout; otherwise
    /// the place, if the archive has one. Versions are for the app's gate.
    /// - Parameters:
    ///   - archive: the archive to restore.
    ///   - served: the fidelity that the service gave with the archive; nil for the app's own archive.
    public func fidelity(for archive: StateArchive, served: RestorationFidelity? = nil) -> RestorationFidelity {
        let isAlike =
            archive.idiom == idiom.rawValue && (archive.layout == nil || layout == nil || archive.layout == layout)
        switch served ?? (isAlike ? .full : .place) {
        case .full: return .full
        case .place: return archive.place == nil ? .none : .place
        case .none: return .none
        }
    }
}
