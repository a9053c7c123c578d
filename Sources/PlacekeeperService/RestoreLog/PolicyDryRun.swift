package import PlacekeeperCore

/// Compares what an app's current settings and other settings return for the recorded requests. Both settings are
/// applied as of each request's time, so earlier changes to the settings don't matter.
package struct PolicyDryRun: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// An archive was served. The new settings refuse every archive known to the log.
        case refused
        case served
        /// The full state was served. The new settings allow only the same archive's place.
        case place
        case full
        /// A different archive is served.
        case other
    }

    package typealias Served = (archive: ArchiveID, fidelity: Fidelity)

    package struct Example: Sendable {
        package var answer: RestoreAnswer
        package var before: Served?
        package var after: Served?
        /// The reasons against the archive that was served, or for serving only its place.
        package var reasons: [Reason]
    }

    package struct Change: Sendable {
        package var count = 0
        package var users: Set<UserID> = []
        /// The latest examples.
        package var examples: [Example] = []
    }

    /// A reason against the newest archive, or against its full state, in answers that stay the same.
    package struct Blocker: Sendable {
        package var reason: Reason
        package var answers = 0
        package var users: Set<UserID> = []
    }

    package private(set) var answers = 0
    package private(set) var unchanged = 0
    package private(set) var from: Timestamp?
    package private(set) var to: Timestamp?
    package private(set) var changes: [Kind: Change] = [:]
    private var blockersByCode: [String: Blocker] = [:]
    /// Why answers stay the same, the most frequent reason first. An answer with several reasons counts for each.
    package var blockers: [Blocker] {
        blockersByCode.values.sorted { ($0.answers, $1.reason.code) > ($1.answers, $0.reason.code) }
    }

    static let examples = 20

    /// Evaluates an answer. Add the answers from new to old.
    mutating func add(_ answer: RestoreAnswer, with settings: App.Settings, instead present: App.Settings) {
        answers += 1
        from = min(from ?? answer.at, answer.at)
        to = max(to ?? answer.at, answer.at)
        let before = Self.judge(answer, by: present).served
        let (after, judged) = Self.judge(answer, by: settings)
        guard let kind = Self.kind(before, after) else {
            unchanged += 1
            for reason in answer.candidates.first.flatMap({ judged[$0.archive] }) ?? [] {
                blockersByCode[reason.code, default: Blocker(reason: reason)].answers += 1
                blockersByCode[reason.code]?.users.insert(answer.owner.user)
            }
            return
        }
        var change = changes.removeValue(forKey: kind) ?? Change()
        change.count += 1
        change.users.insert(answer.owner.user)
        if change.examples.count < Self.examples {
            let reasons = (before?.archive ?? after?.archive).flatMap { judged[$0] } ?? []
            change.examples.append(Example(answer: answer, before: before, after: after, reasons: reasons))
        }
        changes[kind] = change
    }

    /// Returns the served archive, and the reasons against each evaluated archive.
    private static func judge(
        _ answer: RestoreAnswer, by settings: App.Settings
    ) -> (served: Served?, reasons: [ArchiveID: [Reason]]) {
        var reasons: [ArchiveID: [Reason]] = [:]
        for candidate in answer.candidates {
            let verdict = settings.evaluate(candidate.facts, for: answer.asked, at: answer.at)
            reasons[candidate.archive] = verdict.reasons + (candidate.exclusion.map { [$0] } ?? [])
            guard candidate.exclusion == nil, let fidelity = verdict.fidelity else { continue }
            return ((candidate.archive, fidelity), reasons)
        }
        return (nil, reasons)
    }

    private static func kind(_ before: Served?, _ after: Served?) -> Kind? {
        guard let before else { return after == nil ? nil : .served }
        guard let after else { return .refused }
        guard before.archive == after.archive else { return .other }
        if before.fidelity == after.fidelity { return nil }
        return after.fidelity == .full ? .full : .place
    }
}

extension Health {
    /// Runs settings against an app's recorded requests. Changes nothing.
    package func tryOut(_ settings: App.Settings, of app: App) async throws(ServiceError) -> PolicyDryRun {
        try Validation.settings(settings)
        let start = clock.now() - Retention.restoreLog
        return try await service.offload(of: app.id) { () async throws(ServiceError) in
            var dryRun = PolicyDryRun()
            try await forEachEntry(.answer, of: app.id, since: start) {
                if case .answer(let answer) = $0 { dryRun.add(answer, with: settings, instead: app.settings) }
            }
            return dryRun
        }
    }
}
