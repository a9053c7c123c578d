import PlacekeeperArchive
import PlacekeeperRuntime

extension RestorationContext {
    /// Returns the reason why the versions of an archive on this device forbid its restore, by the service's default
    /// policy. State versions are compared if both are given. Otherwise bundle versions are compared within a platform.
    func versionFault(of archive: StateArchive) -> Launch.Reason? {
        if let saved = archive.stateVersion, let own = stateVersion {
            guard saved > own else { return nil }
            return .init(.init(rawValue: "state-version-newer"), archive: "\(saved)", required: "\(own)")
        }
        guard let own = bundleVersion, isOnPlatform(of: archive),
            DottedVersion(archive.bundleVersion) > DottedVersion(own)
        else { return nil }
        return .init(.init(rawValue: "bundle-version-newer"), archive: archive.bundleVersion, required: own)
    }

    /// Whether the archive was saved on the platform of this device. Phones and pads are one platform.
    private func isOnPlatform(of archive: StateArchive) -> Bool {
        guard let saved = archive.idiom.map(UserInterfaceIdiom.init(rawValue:)) else { return true }
        let mobile: Set<UserInterfaceIdiom> = [.phone, .pad]
        return saved == idiom || (mobile.contains(saved) && mobile.contains(idiom))
    }
}
