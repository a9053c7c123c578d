/// Compares the recorded answers of an app with the answers that other settings would give.
package struct RestoreTrial: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// An archive was served. Now the settings refuse all archives that the log knows.
        case refused
        case served
        /// The full state was served. Now only the place of the same archive is served.
        case place
        case full
        /// Another archive is served.
        case other
    }

    package struct Example: Sendable {
        package var answer: RestoreAnswer
        package var after: (archive: ArchiveID, fidelity: Fidelity)?
        /// The reasons against the archive that was served, or the reasons for only a place.
        package var reasons: [Reason]
    }

    package struct Change: Sendable {
        package var count = 0
        package var users: Set<UserID> = []
        /// The newest examples.
        package var examples: [Example] = []
    }

    package private(set) var answers = 0
    package private(set) var unchanged = 0
    package private(set) var from: Timestamp?
    package private(set) var to: Timestamp?
    package private(set) var changes: [Kind: Change] = [:]

    static let examples = 20

    /// Judges an answer. The answers must be added in order, the newest first.
    mutating func add(_ answer: RestoreAnswer, with settings: App.Settings) {
        answers += 1
        from = min(from ?? answer.at, answer.at)
        to = max(to ?? answer.at, answer.at)
        var after: (archive: ArchiveID, fidelity: Fidelity)?
        var judged: [ArchiveID: [Reason]] = [:]
        for candidate in answer.candidates {
            let verdict = settings.evaluate(candidate.facts, for: answer.asked, at: answer.at)
            judged[candidate.archive] = verdict.reasons + (candidate.exclusion.map { [$0] } ?? [])
            guard candidate.exclusion == nil, let fidelity = verdict.fidelity else { continue }
            after = (candidate.archive, fidelity)
            break
        }
        let before = answer.served
        guard let kind = Self.kind(before, after) else {
            unchanged += 1
            return
        }
        var change = changes.removeValue(forKey: kind) ?? Change()
        change.count += 1
        change.users.insert(answer.owner.user)
        if change.examples.count < Self.examples {
            let reasons = (before?.archive ?? after?.archive).flatMap { judged[$0] } ?? []
            change.examples.append(Example(answer: answer, after: after, reasons: reasons))
        }
        changes[kind] = change
    }

    private static func kind(
        _ before: RestoreAnswer.Candidate?, _ after: (archive: ArchiveID, fidelity: Fidelity)?
    ) -> Kind? {
        guard let before else { return after == nil ? nil : .served }
        guard let after else { return .refused }
        guard before.archive == after.archive else { return .other }
        if before.fidelity == after.fidelity { return nil }
        return after.fidelity == .full ? .full : .place
    }
}

extension RestorationService {
    /// Tries settings on the recorded answers of an app. Changes nothing.
    package func tryOut(_ settings: App.Settings, of app: AppID) async throws(ServiceError) -> RestoreTrial {
        try Validation.settings(settings)
        let start = clock.now() - Retention.restoreLog
        return try await offload(of: app) { () async throws(ServiceError) in
            var trial = RestoreTrial()
            try await forEachEntry(.answer, of: app, since: start) {
                if case .answer(let answer) = $0 { trial.add(answer, with: settings) }
            }
            return trial
        }
    }
}
