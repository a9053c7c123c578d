public import PlacekeeperArchive

/// The part of an archive that a device can restore. The raw values are the service's names.
public enum RestorationFidelity: String, Sendable, Hashable {
    /// The state of every screen. For the app's own archive, the idiom and layout of the archive match those of the
    /// device, and no newer version saved it.
    case full
    /// Only the place. For the app's own archive, the idiom or layout of the archive differs from that of the device, or a
    /// newer version saved it.
    case place
    /// No part of the archive.
    case none
}

extension RestorationContext {
    /// Returns the part of an archive that this device can restore. If the service gave a fidelity, this fidelity takes
    /// precedence: the app's policy may accept the state of another idiom, or refuse the state of an older version.
    ///
    /// For the app's own archive, the result is `full` if the idiom and the layout match, and no newer version saved it
    /// (`versionConflict(with:)`). If the archive or the device has no layout, only the idiom must match. Otherwise the
    /// result is `place` for an archive with a place, and `none` for an archive without a place. The result is also `none`
    /// for a newer state version. The app's `RestorationGate` can refuse an older version.
    ///
    /// An archive whose state was left out (`StateArchive.isPlaceOnly`) has at most its place.
    /// - Parameters:
    ///   - archive: The archive to restore.
    ///   - served: The fidelity that the service gave for the archive. Pass nil for the app's own archive.
    public func fidelity(for archive: StateArchive, served: RestorationFidelity? = nil) -> RestorationFidelity {
        switch served ?? ownFidelity(for: archive) {
        case .full where !archive.isPlaceOnly: return .full
        case .full, .place: return archive.place == nil ? .none : .place
        case .none: return .none
        }
    }

    private func ownFidelity(for archive: StateArchive) -> RestorationFidelity {
        if let conflict = versionConflict(with: archive) { return conflict.blocksPlace ? .none : .place }
        let isAlike =
            archive.idiom == idiom.rawValue && (archive.layout == nil || layout == nil || archive.layout == layout)
        return isAlike ? .full : .place
    }
}

/// A version of an archive that is newer than the device's.
package struct VersionConflict: Sendable, Hashable {
    /// The code of the service's reason.
    package var code: String
    /// The version of the archive.
    package var archive: String
    /// The version of the device.
    package var required: String
    /// Whether the place is refused as well as the full state.
    package var blocksPlace: Bool
}

extension RestorationContext {
    /// Returns the reason why the versions of an archive forbid its full restore, by the service's default policy. State
    /// versions are compared if both are given: the app says by them that the state and the place have another meaning.
    /// Otherwise bundle versions and system versions are compared within a platform. They block only the full state.
    package func versionConflict(with archive: StateArchive) -> VersionConflict? {
        if let saved = archive.stateVersion, let own = stateVersion {
            guard saved > own else { return nil }
            return .init(code: "state-version-newer", archive: "\(saved)", required: "\(own)", blocksPlace: true)
        }
        guard isOnPlatform(of: archive) else { return nil }
        if let saved = archive.bundleVersion, let own = bundleVersion, DottedVersion(saved) > DottedVersion(own) {
            return .init(code: "bundle-version-newer", archive: saved, required: own, blocksPlace: false)
        }
        if let saved = archive.systemVersion, let own = systemVersion,
            DottedVersion(saved).majorIsNewer(than: DottedVersion(own))
        {
            return .init(code: "system-version-newer", archive: saved, required: own, blocksPlace: false)
        }
        return nil
    }

    /// Whether the archive was saved on the platform of this device. Phones and pads are one platform.
    private func isOnPlatform(of archive: StateArchive) -> Bool {
        guard let saved = archive.idiom.map(UserInterfaceIdiom.init(rawValue:)) else { return true }
        let mobile: Set<UserInterfaceIdiom> = [.phone, .pad]
        return saved == idiom || (mobile.contains(saved) && mobile.contains(idiom))
    }
}
