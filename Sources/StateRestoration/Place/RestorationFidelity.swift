public import KeyedArchive

/// The part of an archive that a device can restore. The raw values are the service's names.
public enum RestorationFidelity: String, Sendable, Hashable {
    /// The state of every screen. The layouts match.
    case full
    /// Only the place. The layouts differ.
    case place
    /// Nothing.
    case none
}

extension RestorationContext {
    /// Returns the part of an archive that this device can restore. The fidelity from the service takes precedence:
    /// the app's policy may accept the state of another idiom, or refuse the state of an older version.
    ///
    /// For the app's own archive, the result is `full` if the idiom and the layout match. If the archive or the
    /// device has no layout, only the idiom must match. If the idiom or the layout does not match, the result is
    /// `place` for an archive with a place, and `none` for an archive without a place. The app's `RestorationGate`
    /// checks the versions.
    /// - Parameters:
    ///   - archive: The archive to restore.
    ///   - served: The fidelity that the service gave for the archive. Pass nil for the app's own archive.
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
