/// Chooses the archive that a device may restore. A store passes in the archives of a scene, the newest first
/// (`Store.choose`). The same archives in the same order lead to the same choice.
package struct Choice: Sendable {
    /// What the store does next.
    package enum Step: Sendable {
        case showNext
        /// The archive is accepted.
        case stop(needsBytes: Bool)
    }

    package let scene: SceneKey
    /// If set, the store passes only archives of this device.
    package let device: DeviceID?
    let context: Context
    package let principal: Principal
    package let now: Timestamp
    /// The app launch that sent the request. If an earlier launch began a restore and never reported its end, that
    /// restore failed.
    let launch: LaunchID?
    /// Whether the device already holds this version of an archive.
    let isHeld: @Sendable (ServedVersion) -> Bool

    /// The scene's head over all devices. If `device` is set, the store sets the head before it passes the first
    /// archive; otherwise the first archive is the head.
    package var head: Archive.Position?
    /// The first archive passed: the newest of the scene, or of `device`.
    package private(set) var top: Archive?
    /// The position of the last archive passed.
    package private(set) var position: Archive.Position?
    package private(set) var accepted: JudgedArchive?
    /// The refused archives, the newest first, up to `Limits.explainedCandidates`.
    package private(set) var refused: [JudgedArchive] = []
    /// How many refused archives are not in `refused`.
    package private(set) var omitted = 0
    /// The `began` outcomes of the requesting device's restores that have no reported end: at most one for each
    /// archive.
    package private(set) var unfinished: [Outcome] = []
    /// The failures that the request proves: the restores in `unfinished` that another launch of the app began.
    package var interrupted: [Outcome] {
        unfinished.filter { $0.isInterrupted(by: launch) }.map { $0.crash(at: now) }
    }

    package init(
        in scene: SceneKey, of device: DeviceID?, for context: Context, principal: Principal, at now: Timestamp,
        launch: LaunchID? = nil, isHeld: @escaping @Sendable (ServedVersion) -> Bool = { _ in false }
    ) {
        self.scene = scene
        self.device = device
        self.context = context
        self.principal = principal
        self.now = now
        self.launch = launch
        self.isHeld = isHeld
    }

    /// Accepts or refuses the next archive.
    ///
    /// - Parameter outcomes: the archive's outcomes, the oldest first. Empty if `archive.hasOutcomes` is false.
    package mutating func consider(_ archive: Archive, outcomes: [Outcome]) -> Step {
        top = top ?? archive
        head = head ?? archive.position
        position = archive.position
        let candidate = judge(archive, outcomes)
        guard candidate.fidelity != nil else {
            if refused.count < Limits.explainedCandidates {
                refused.append(candidate)
            } else {
                omitted += 1
            }
            return .showNext
        }
        accepted = candidate
        return .stop(needsBytes: needsBytes)
    }

    private mutating func judge(_ archive: Archive, _ outcomes: [Outcome]) -> JudgedArchive {
        let verdict = principal.app.settings.evaluate(RestoreCandidate(archive), for: context, at: now)
        var outcomes = outcomes
        if let begun = RestoreEligibility.unfinished(outcomes, by: principal.device.id) {
            unfinished.append(begun)
            if begun.isInterrupted(by: launch) { outcomes.append(begun.crash(at: now)) }
        }
        let eligibility = RestoreEligibility(
            after: outcomes, madeBy: archive.device, for: principal.device.id, in: context)
        return JudgedArchive(
            archive: archive, fidelity: eligibility.isExcluded ? nil : verdict.fidelity,
            reasons: verdict.reasons + (eligibility.reason.map { [$0] } ?? []))
    }

    /// The accepted archive, ready to serve. Nil if none was accepted.
    package var offer: ServableArchive? {
        guard let accepted, let fidelity = accepted.fidelity, let head else { return nil }
        return ServableArchive(accepted.archive, fidelity, head: head, caution: accepted.caution)
    }

    /// Whether the store must read the bytes of the accepted archive now. If the archive refers to registered items,
    /// its bytes are read later, when the references are rewritten.
    private var needsBytes: Bool {
        guard let offer else { return false }
        return !principal.app.dependsOnIdentity(offer.archive) && !isHeld(offer.version(for: context))
    }
}

/// An archive, judged by the policy and by its outcomes.
package struct JudgedArchive: Sendable {
    package var archive: Archive
    /// Nil if the archive may not be restored at all.
    package var fidelity: Fidelity?
    package var reasons: [Reason]

    package init(archive: Archive, fidelity: Fidelity?, reasons: [Reason]) {
        self.archive = archive
        self.fidelity = fidelity
        self.reasons = reasons
    }

    /// Why the archive is only offered. Nil if the app may restore it without asking.
    package var caution: Reason? { reasons.first { $0.blocks == .automatic } }

    /// Returns whether the archive was refused because the requesting device sent no bundle version.
    package func lacksVersion(of asked: Context) -> Bool {
        asked.bundleVersion == nil && reasons.contains { $0.code == Reason.Code.bundleVersionNewer.rawValue }
    }
}

/// The result of `Store.choose`.
package struct Chosen: Sendable {
    package var choice: Choice
    /// The uploaded bytes of the accepted archive. Nil if none was accepted, or if the choice doesn't need the bytes.
    package var bytes: [UInt8]?
    /// Whether the store may have more archives for the choice.
    package var hasMore: Bool

    package init(_ choice: Choice, bytes: [UInt8]? = nil, hasMore: Bool = false) {
        self.choice = choice
        self.bytes = bytes
        self.hasMore = hasMore
    }
}

/// An archive that is about to be served.
package struct ServableArchive: Sendable {
    package var archive: Archive
    package var fidelity: Fidelity
    package var superseded: Superseded?
    /// Why the app only offers the archive. Nil if it may restore the archive without asking.
    package var caution: Reason?
    /// The scene's head over all devices.
    package var head: Revision

    package init(_ archive: Archive, _ fidelity: Fidelity, head: Archive.Position, caution: Reason? = nil) {
        self.archive = archive
        self.fidelity = fidelity
        self.caution = caution
        self.head = head.revision
        superseded = Superseded(archive, below: head)
    }

    /// The served version, if the archive's own bytes are served.
    package func version(for context: Context) -> ServedVersion {
        ServedVersion(
            revision: archive.revision, digest: archive.digest, fidelity: fidelity, superseded: superseded,
            isOnlyOffered: caution != nil, asked: context)
    }
}
