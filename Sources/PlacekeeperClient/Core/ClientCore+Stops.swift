import PlacekeeperRuntime

// Stopped restores, which the client remembers for launches without the service.
extension ClientCore {
    /// A version of the app whose restores are stopped.
    private struct StoppedVersion: Codable {
        var bundleVersion: String?
    }

    private static let stopCode = "restores-stopped"

    /// Notes whether the restores of this version of the app are stopped. If the service is not available, the last known
    /// answer applies, as the last known setting does. A file that cannot be read or written does not fail a launch.
    func remember(_ remote: LaunchDecision.Remote, _ context: RestorationContext) -> LaunchDecision.Remote {
        let isStopped = stoppedVersion.map { $0.bundleVersion == context.bundleVersion } ?? false
        switch remote {
        case .unavailable where isStopped: return .incompatible(.init(.init(rawValue: Self.stopCode)))
        case .incompatible(let reason) where reason.code.rawValue == Self.stopCode:
            guard !isStopped else { break }
            let stop = StoppedVersion(bundleVersion: context.bundleVersion)
            try? files.write(SealedFile.encode(stop, []), to: "stopped")
        case .served(let answer) where !answer.isSuperseded: forgetStop()
        case .notModified(isSuperseded: false): forgetStop()
        case .served, .notModified, .unavailable, .incompatible, .nothingStored: break
        }
        return remote
    }

    /// Notes that the service serves the scene's head, so the restores of this version are not stopped.
    func forgetStop() {
        if stoppedVersion != nil { try? files.remove("stopped") }
    }

    private var stoppedVersion: StoppedVersion? {
        let bytes = try? files.read("stopped", limit: 4096)
        return bytes.flatMap { try? SealedFile.decode(StoppedVersion.self, $0).header }
    }
}
