import PlacekeeperModels

// The launches that ask the service before they restore this device's own state: after an update of the app or the
// system, while restores of this version of the app are stopped, and after the service refused the newest state.
extension ClientCore {
    /// A version of the app whose restores are stopped.
    private struct StoppedVersion: Codable {
        var bundleVersion: String?
    }

    /// The versions of the app and the system for which the service has answered a launch.
    struct KnownVersions: Codable, Equatable {
        var bundleVersion: String?
        var systemVersion: String?
        /// The time of the first answer after an update. `nil` if no earlier versions saved scenes on this device.
        var since: ClockReading?
        /// The time of the last answer.
        var answeredAt: ClockReading
        /// The scenes whose newest state on this device was refused in the service's last answer.
        var refusedScenes: Set<String> = []

        init(_ context: RestorationContext, since: ClockReading? = nil, at now: ClockReading) {
            bundleVersion = context.bundleVersion
            systemVersion = context.systemVersion
            self.since = since
            answeredAt = now
        }

        func isOf(_ context: RestorationContext) -> Bool {
            bundleVersion == context.bundleVersion && systemVersion == context.systemVersion
        }

        /// Whether the update is less than a day old. During this day, the service may still stop restores of the new
        /// version, after its first failures.
        func isOnTrial(at now: ClockReading) -> Bool { since.map { $0.age(at: now) < 86_400 } ?? false }
    }

    private static let stopCode = "restores-stopped"
    /// The seconds for which an answer is valid on the first day after an update.
    private static let answerTime = 600.0

    /// Whether a launch must ask the service before it restores this device's own state, because the service may refuse
    /// the state by now.
    func asksFirst(_ scene: String, _ context: RestorationContext, at now: ClockReading) -> Bool {
        if stoppedVersion.map({ $0.bundleVersion == context.bundleVersion }) ?? false { return true }
        guard let known = knownVersions, known.isOf(context), !known.refusedScenes.contains(scene) else { return true }
        return known.isOnTrial(at: now) && known.answeredAt.age(at: now) >= Self.answerTime
    }

    /// Records the versions at the first use of a scene, if no earlier version of the app has saved states.
    func noteFirstUse(at now: ClockReading) throws(FileError) {
        guard knownVersions == nil, scenes.values.allSatisfy(\.folder.isUnused), !settings.isExtension else { return }
        try write(KnownVersions(settings.device, at: now))
    }

    /// Records the service's answer to a launch: whether restores of this version of the app are stopped. If the
    /// service is unavailable, the last known answer applies. A launch does not fail because of an unreadable or
    /// unwritable file.
    /// - Parameter refuses: Whether the service refuses the newest state of this device.
    func remember(
        _ remote: LaunchDecision.Remote, in scene: String, _ context: RestorationContext, refuses: Bool,
        at now: ClockReading
    ) -> LaunchDecision.Remote {
        let isStopped = stoppedVersion.map { $0.bundleVersion == context.bundleVersion } ?? false
        switch remote {
        case .notAsked: return remote
        case .unavailable: return isStopped ? .incompatible(.init(.init(rawValue: Self.stopCode))) : remote
        case .incompatible(let reason) where reason.code.rawValue == Self.stopCode:
            guard !isStopped else { break }
            let stop = StoppedVersion(bundleVersion: context.bundleVersion)
            try? files.write(ChecksummedFile.encode(stop, []), to: "stopped")
        case .served(let answer) where !answer.isSuperseded: forgetStop()
        case .notModified(isSuperseded: false, _): forgetStop()
        case .served, .notModified, .incompatible, .nothingStored: break
        }
        noteAnswer(in: scene, context, refuses: refuses, at: now)
        return remote
    }

    private func noteAnswer(in scene: String, _ context: RestorationContext, refuses: Bool, at now: ClockReading) {
        let earlier = knownVersions
        var known: KnownVersions
        if let earlier, earlier.isOf(context) {
            known = earlier
        } else {
            let isFirst = earlier == nil && scenes.values.allSatisfy(\.folder.isUnused)
            known = KnownVersions(context, since: isFirst ? nil : now, at: now)
        }
        known.refusedScenes.remove(scene)
        if refuses { known.refusedScenes.insert(scene) }
        // The time of an answer matters only on the first day.
        if known.isOnTrial(at: now) { known.answeredAt = now }
        if known != earlier { try? write(known) }
    }

    /// Records that the service serves a scene's newest archive, so restores of this version are not stopped.
    func forgetStop() {
        if stoppedVersion != nil { try? files.remove("stopped") }
    }

    private var stoppedVersion: StoppedVersion? {
        let bytes = try? files.read("stopped", limit: 4096)
        return bytes.flatMap { try? ChecksummedFile.decode(StoppedVersion.self, $0).header }
    }

    private var knownVersions: KnownVersions? {
        let bytes = try? files.read("versions", limit: 4096)
        return bytes.flatMap { try? ChecksummedFile.decode(KnownVersions.self, $0).header }
    }

    /// If a power loss damages the file, the next launch just asks first.
    private func write(_ known: KnownVersions) throws(FileError) {
        try files.writeUnsynced(ChecksummedFile.encode(known, []), to: "versions")
    }
}
