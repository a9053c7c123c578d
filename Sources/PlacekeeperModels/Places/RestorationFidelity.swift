public import PlacekeeperArchive

/// How much of an archive a device can restore. The raw values are the service's names.
public enum RestorationFidelity: String, Sendable, Hashable {
    /// The state of every screen. For the app's own archive: the idiom matches the device's, no newer version saved it,
    /// and the layout matches or the archive has no place.
    case full
    /// Only the place. For the app's own archive: its idiom or layout differs from the device's, or a newer version
    /// saved it.
    case place
    /// Nothing.
    case none
}

extension RestorationContext {
    /// Returns how much of an archive this device can restore. A fidelity from the service takes precedence: the app's
    /// policy may accept the state of another idiom, or refuse the state of an older version.
    ///
    /// For the app's own archive, the result is `full` if the idiom matches, no newer version saved it
    /// (`versionConflict(with:)`), and the layout matches. The layout matters only if the archive has a place, and both
    /// the archive and the device have a layout. Otherwise the result is `place` if the archive has a place, and `none` if not. It is also
    /// `none` for a newer state version. To refuse older versions, use a `RestorationGate`.
    ///
    /// If the archive's state was left out (`StateArchive.isPlaceOnly`), at most the place can be restored.
    /// - Parameters:
    ///   - archive: The archive to restore.
    ///   - served: The fidelity with which the service served the archive. Pass nil for the app's own archive.
    public func fidelity(for archive: StateArchive, served: RestorationFidelity? = nil) -> RestorationFidelity {
        switch served ?? ownFidelity(for: archive) {
        case .full where !archive.isPlaceOnly: return .full
        case .full, .place: return archive.place == nil ? .none : .place
        case .none: return .none
        }
    }

    private func ownFidelity(for archive: StateArchive) -> RestorationFidelity {
        if let conflict = versionConflict(with: archive) { return conflict.blocksPlace ? .none : .place }
        guard archive.idiom == idiom.rawValue else { return .place }
        // The layout of one device changes, for example with the width of its window. So a layout refuses the device's
        // own state only if the place can be restored instead.
        let isAlike = archive.layout == nil || layout == nil || archive.layout == layout
        return isAlike || archive.place == nil ? .full : .place
    }
}

/// A version in an archive that is newer than the device's.
package struct VersionConflict: Sendable, Equatable {
    /// The code of the reason, as in the service.
    package var code: String
    /// The archive's version.
    package var archive: String
    /// The device's version.
    package var required: String
    /// Whether the place is refused as well as the full state.
    package var blocksPlace: Bool
}

extension RestorationContext {
    /// Returns the newer version that prevents a full restore, by the service's default policy.
    ///
    /// If both state versions are set, only they are compared; a newer one means that state and place have another
    /// meaning, so it blocks both. Otherwise bundle and system versions are compared, within a platform. They block
    /// only the full state.
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

    /// Whether the archive was saved on this device's platform. iPhone and iPad count as one.
    private func isOnPlatform(of archive: StateArchive) -> Bool {
        guard let saved = archive.idiom.map(UserInterfaceIdiom.init(rawValue:)) else { return true }
        let mobile: Set<UserInterfaceIdiom> = [.phone, .pad]
        return saved == idiom || (mobile.contains(saved) && mobile.contains(idiom))
    }
}
