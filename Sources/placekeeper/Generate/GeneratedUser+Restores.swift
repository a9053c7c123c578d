import PlacekeeperCore
import PlacekeeperService

extension GeneratedUser {
    private static let candidates = 16
    /// How many of the newest archives a device asks for.
    private static let asked = 4

    /// Returns answers and reports for the restore log, and adds the outcomes to the archives and the counts. Some
    /// minutes after the user saved one of the newest archives, or one of five older ones, one of the user's devices asks
    /// for the scene, and reports the outcome of the restore.
    mutating func restore(judgedBy settings: App.Settings, until now: Timestamp) -> [RestoreLogEntry] {
        var random = SeededGenerator(seed: ~seed)
        let archives = records.indices.filter { if case .archive = records[$0] { true } else { false } }
        var served: [DeviceID: Set<ArchiveID>] = [:]
        var entries: [RestoreLogEntry] = []
        for index in archives.indices {
            let isAsked = Int.random(in: 0..<5, using: &random) == 0 || index >= archives.count - Self.asked
            guard isAsked, case .archive(let newest) = records[archives[index]],
                let device = devices.randomElement(using: &random)
            else { continue }
            let time = min(now, newest.archive.receivedAt + .seconds(Int.random(in: 60...1800, using: &random)))
            let context = Self.context(of: device, ["42", "43"], &random)
            let scene = newest.archive.scene
            var answer = RestoreAnswer(
                at: time, owner: owner, device: device.id, scene: scene.name, asked: context, candidates: [])
            var reports: [RestoreLogEntry] = []
            var refusals: Set<String> = []
            for place in archives[...index].reversed() {
                guard case .archive(var stored) = records[place], stored.archive.scene == scene else { continue }
                let (candidate, blocking) = Self.judge(stored, for: device.id, in: context, by: settings, at: time)
                answer.candidates.append(candidate)
                refusals.formUnion(blocking)
                if let fidelity = candidate.fidelity {
                    let outcomes = Self.reports(
                        of: stored.archive, by: device.id, in: context, Self.end(on: device, context, &random), &random,
                        at: min(now, time + .seconds(2)))
                    // The first serving of an archive to a device counts.
                    if served[device.id, default: []].insert(stored.archive.id).inserted {
                        count("restore", fidelity == .full ? "full" : "place", from: context, at: time)
                    }
                    stored.outcomes += outcomes
                    stored.archive.hasOutcomes = true
                    records[place] = .archive(stored)
                    for outcome in outcomes where outcome.result != .began {
                        count("outcome", outcome.result.rawValue, from: context, at: outcome.reportedAt)
                    }
                    reports = outcomes.filter { RestoreReport.results.contains($0.result) }.map {
                        .report(
                            RestoreReport(
                                $0, of: stored.archive, at: $0.reportedAt,
                                from: UInt32(truncatingIfNeeded: device.id.low) | 1))
                    }
                }
                if candidate.fidelity != nil || answer.candidates.count == Self.candidates { break }
            }
            if answer.served == nil {
                for code in refusals { count("refusal", code, from: context, at: time) }
            }
            entries += [.answer(answer)] + reports
        }
        return entries
    }

    /// Returns how a restore ends. On iPads, almost half of those with version 43 fail.
    private static func end(
        on device: Device, _ context: Context, _ random: inout SeededGenerator
    ) -> Outcome.Result {
        let isRisky = device.idiom == .pad && context.bundleVersion == "43"
        return switch Int.random(in: 0..<100, using: &random) {
        case 0..<(isRisky ? 45 : 2): isRisky && Bool.random(using: &random) ? .crashed : .failed
        case 98...: .abandoned
        default: .restored
        }
    }

    /// Returns the candidate, and the codes of the reasons that refuse it.
    private static func judge(
        _ stored: ExportedArchive, for device: DeviceID, in context: Context, by settings: App.Settings,
        at time: Timestamp
    ) -> (RestoreAnswer.Candidate, blocking: [String]) {
        let facts = RestoreCandidate(stored.archive)
        let verdict = settings.evaluate(facts, for: context, at: time)
        let eligibility = RestoreEligibility(
            after: stored.outcomes, madeBy: stored.archive.device, for: device, in: context)
        var exclusion = eligibility.isExcluded ? eligibility.reason : nil
        exclusion?.details = Outcome.Details()
        let reasons = verdict.reasons + [eligibility.reason].compactMap(\.self)
        let candidate = RestoreAnswer.Candidate(
            archive: stored.archive.id, facts: facts, exclusion: exclusion,
            fidelity: exclusion == nil ? verdict.fidelity : nil, reasons: reasons.map(\.code))
        return (candidate, reasons.filter { $0.blocks == .place }.map(\.code))
    }
}
