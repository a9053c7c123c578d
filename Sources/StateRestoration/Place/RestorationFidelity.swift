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
    /// For the app's own archive, the result is `full` if the idiom matches and, if both the archive and the device
    /// have a layout, the layout matches. Otherwise the result is `place` if the archive has a place, and `none` if
    /// it has not. Versions are checked by the app's `RestorationGate`.
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
