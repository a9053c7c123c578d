public import PlacekeeperArchive

/// The part of an archive that a device can restore. The raw values are the service's names.
public enum RestorationFidelity: String, Sendable, Hashable {
    /// The state of every screen. For the app's own archive, the idiom and layout of the archive match those of the
    /// device.
    case full
    /// Only the place. For the app's own archive, the idiom or layout of the archive differs from that of the device.
    case place
    /// No part of the archive.
    case none
}

extension RestorationContext {
    /// Returns the part of an archive that this device can restore. If the service gave a fidelity, this fidelity takes
    /// precedence: the app's policy may accept the state of another idiom, or refuse the state of an older version.
    ///
    /// For the app's own archive, the result is `full` if the idiom and the layout match. If the archive or the device
    /// has no layout, only the idiom must match. If the idiom or the layout does not match, the result is `place` for
    /// an archive with a place, and `none` for an archive without a place. This method does not compare versions; the
    /// app's `RestorationGate` can refuse an older version.
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
