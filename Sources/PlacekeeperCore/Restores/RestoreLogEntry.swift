/// An entry of an app's restore log.
package enum RestoreLogEntry: Sendable, Hashable {
    case answer(RestoreAnswer)
    case report(RestoreReport)
    case note(BreakerTransition)

    package enum Kind: Int64, Sendable, CaseIterable {
        case answer, report, note
    }

    package var kind: Kind {
        switch self {
        case .answer: .answer
        case .report: .report
        case .note: .note
        }
    }

    package var at: Timestamp {
        switch self {
        case .answer(let answer): answer.at
        case .report(let report): report.at
        case .note(let note): note.at
        }
    }

    package var app: AppID {
        switch self {
        case .answer(let answer): answer.owner.app
        case .report(let report): report.owner.app
        case .note(let note): note.app
        }
    }

    /// The user and the device of the entry. Nil for a note, which is about no single user.
    package var party: (owner: UserKey, device: DeviceID)? {
        switch self {
        case .answer(let answer): (answer.owner, answer.device)
        case .report(let report): (report.owner, report.device)
        case .note: nil
        }
    }
}

/// A response of `latest`: the archives considered, and the one served.
package struct RestoreAnswer: Sendable, Hashable {
    package struct Candidate: Sendable, Hashable {
        package var archive: ArchiveID
        package var facts: RestoreCandidate
        /// What the archive's outcomes led to, without details: `quarantined` or `abandoned`.
        package var exclusion: Reason?
        /// Nil if the archive was refused.
        package var fidelity: Fidelity?
        /// The codes of all reasons.
        package var reasons: [String]

        package init(
            archive: ArchiveID, facts: RestoreCandidate, exclusion: Reason? = nil, fidelity: Fidelity?,
            reasons: [String] = []
        ) {
            self.archive = archive
            self.facts = facts
            self.exclusion = exclusion
            self.fidelity = fidelity
            self.reasons = reasons
        }
    }

    package var at: Timestamp
    package var owner: UserKey
    package var device: DeviceID
    package var scene: String
    package var asked: Context
    /// The candidates, the newest first.
    package var candidates: [Candidate]
    /// Whether the device already had the served archive, so it got the answer without the archive's bytes.
    package var wasHeld: Bool
    /// How many times the device got the same answer again, up to `lastAt`.
    package var repeats: Int
    package var lastAt: Timestamp
    /// The number of different answers before this one that the log had no room for.
    package var omitted: Int
    /// The served candidate, if any. Always the last one, because the choice stops at the first accepted archive.
    package var served: Candidate? { candidates.last.flatMap { $0.fidelity == nil ? nil : $0 } }

    package init(
        at: Timestamp, owner: UserKey, device: DeviceID, scene: String, asked: Context, candidates: [Candidate],
        wasHeld: Bool = false, repeats: Int = 0, lastAt: Timestamp? = nil, omitted: Int = 0
    ) {
        self.at = at
        self.owner = owner
        self.device = device
        self.scene = scene
        self.asked = asked
        self.candidates = candidates
        self.wasHeld = wasHeld
        self.repeats = repeats
        self.lastAt = lastAt ?? at
        self.omitted = omitted
    }
}

extension RestoreAnswer {
    /// Maximum number of candidates per entry, which limits a row to a few kilobytes. If more archives were refused,
    /// the oldest are left out.
    static let candidates = 16

    package init(_ choice: Choice, wasHeld: Bool = false) {
        var candidates = choice.refused.prefix(Self.candidates - 1).map(Candidate.init)
        if let accepted = choice.accepted { candidates.append(Candidate(accepted)) }
        self.init(
            at: choice.now, owner: choice.scene.owner, device: choice.principal.device.id, scene: choice.scene.name,
            asked: choice.context, candidates: candidates, wasHeld: wasHeld)
    }

    /// A hash of all that distinguishes the answer from another one to the same device about the same scene. It differs
    /// from process to process.
    package var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(asked)
        hasher.combine(candidates)
        return hasher.finalize()
    }
}

extension RestoreAnswer.Candidate {
    fileprivate init(_ candidate: JudgedArchive) {
        let exclusions = [Reason.Code.quarantined.rawValue, Reason.Code.abandoned.rawValue]
        var exclusion = candidate.reasons.last { exclusions.contains($0.code) }
        exclusion?.details = Outcome.Details()
        self.init(
            archive: candidate.archive.id, facts: RestoreCandidate(candidate.archive), exclusion: exclusion,
            fidelity: candidate.fidelity, reasons: candidate.reasons.map(\.code))
    }
}

/// A device's report that a restore ended.
package struct RestoreReport: Sendable, Hashable {
    /// The results that end a restore. The log keeps reports with these results only.
    package static let results: Set<Outcome.Result> = [.restored, .failed, .crashed]

    /// Shows how long a user has used the app.
    package struct UserTenure: Sendable, Hashable {
        package var createdAt: Timestamp
        /// Whether the user's devices restored archives on two different days.
        package var restoredOnTwoDays: Bool

        package init(createdAt: Timestamp, restoredOnTwoDays: Bool) {
            self.createdAt = createdAt
            self.restoredOnTwoDays = restoredOnTwoDays
        }
    }

    package var at: Timestamp
    package var owner: UserKey
    package var device: DeviceID
    package var scene: String
    package var archive: ArchiveID
    package var result: Outcome.Result
    package var path: String?
    package var duration: Duration?
    /// The context of the archive.
    package var source: Context
    /// The device's context at the time of the restore.
    package var target: Context
    /// The number of the client network that sent the report (`NetworkNumbers`), or 0 if unknown.
    package var network: UInt32
    /// Set by the store when the report is read.
    package var tenure: UserTenure?

    package init(
        at: Timestamp, owner: UserKey, device: DeviceID, scene: String, archive: ArchiveID, result: Outcome.Result,
        path: String? = nil, duration: Duration? = nil, source: Context, target: Context, network: UInt32 = 0,
        tenure: UserTenure? = nil
    ) {
        self.at = at
        self.owner = owner
        self.device = device
        self.scene = scene
        self.archive = archive
        self.result = result
        self.path = path
        self.duration = duration
        self.source = source
        self.target = target
        self.network = network
        self.tenure = tenure
    }

    package init(_ outcome: Outcome, of archive: Archive, at time: Timestamp, from network: UInt32) {
        self.init(
            at: time, owner: archive.scene.owner, device: outcome.device, scene: archive.scene.name,
            archive: archive.id, result: outcome.result, path: outcome.details.path,
            duration: outcome.details.duration, source: archive.context, target: outcome.context,
            network: network)
    }

    package var isFailure: Bool { result != .restored }

    /// Returns whether the user has existed for seven days and restored archives on two different days. Only reports of
    /// such users count for the breaker, because anyone with the publishable key can create users.
    package func isOfEstablishedUser(at now: Timestamp) -> Bool {
        guard let tenure else { return false }
        return tenure.restoredOnTwoDays && now - tenure.createdAt >= .seconds(7 * 86_400)
    }
}

/// The breaker's state for one pair of versions, from `at` on.
package struct BreakerTransition: Sendable, Hashable {
    package enum State: Int64, Sendable {
        case normal, alerted, stopped
    }

    package var at: Timestamp
    package var app: AppID
    package var pair: RestorePair
    package var state: State
    /// When the stop ends, if `state` is `stopped`.
    package var until: Timestamp?

    package init(at: Timestamp, app: AppID, pair: RestorePair, state: State, until: Timestamp? = nil) {
        self.at = at
        self.app = app
        self.pair = pair
        self.state = state
        self.until = until
    }
}

/// The bundle version that saved archives, and the bundle version and idiom of the devices that restored them. A
/// missing version is 0.
package struct RestorePair: Sendable, Hashable {
    package var sourceVersion: String
    package var targetVersion: String
    package var idiom: Idiom

    package init(sourceVersion: String, targetVersion: String, idiom: Idiom) {
        self.sourceVersion = sourceVersion
        self.targetVersion = targetVersion
        self.idiom = idiom
    }

    package init(_ report: RestoreReport) {
        self.init(
            sourceVersion: report.source.bundleVersion ?? "0", targetVersion: report.target.bundleVersion ?? "0",
            idiom: report.target.idiom)
    }
}
