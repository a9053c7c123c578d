import PlacekeeperCore
import PlacekeeperService

extension GeneratedUser {
    private static let candidates = 16
    /// How many of the newest archives a device asks for.
    private static let asked = 4

    /// Returns answers and reports for the restore log, and adds the outcomes to the archives. Some minutes after the user
    /// saved one of the newest archives, one of the user's devices asks for the scene, and reports the outcome of the
    /// restore. On iPads, many restores of version 43 fail.
    mutating func restore(judgedBy settings: App.Settings, until now: Timestamp) -> [RestoreLogEntry] {
        var random = SeededGenerator(seed: ~seed)
        let archives = records.indices.filter { if case .archive = records[$0] { true } else { false } }
        var entries: [RestoreLogEntry] = []
        for index in archives.indices.suffix(Self.asked) {
            guard case .archive(let newest) = records[archives[index]],
                let device = devices.randomElement(using: &random)
            else { continue }
            let time = min(now, newest.archive.receivedAt + .seconds(Int.random(in: 60...1800, using: &random)))
            let context = Context(
                idiom: device.idiom, layout: device.idiom == .phone ? .compact : .regular,
                bundleVersion: ["42", "43"].randomElement(using: &random), systemVersion: "18.1")
            let scene = newest.archive.scene
            var answer = RestoreAnswer(
                at: time, owner: owner, device: device.id, scene: scene.name, asked: context, candidates: [])
            var reports: [RestoreLogEntry] = []
            for place in archives[...index].reversed() {
                guard case .archive(var stored) = records[place], stored.archive.scene == scene else { continue }
                let candidate = Self.judge(stored, for: device.id, in: context, by: settings, at: time)
                answer.candidates.append(candidate)
                if candidate.fidelity != nil {
                    let isRisky = device.idiom == .pad && context.bundleVersion == "43"
                    let isFailure = Int.random(in: 0..<100, using: &random) < (isRisky ? 45 : 2)
                    let isCrash = isFailure && isRisky && Bool.random(using: &random)
                    let outcomes = Self.reports(
                        of: stored.archive, by: device.id, in: context,
                        isCrash ? .crashed : isFailure ? .failed : .restored, &random, at: min(now, time + .seconds(2)))
                    stored.outcomes += outcomes
                    stored.archive.hasOutcomes = true
                    records[place] = .archive(stored)
                    reports = outcomes.filter { RestoreReport.results.contains($0.result) }.map {
                        .report(
                            RestoreReport(
                                $0, of: stored.archive, at: $0.reportedAt,
                                from: UInt32(truncatingIfNeeded: device.id.low) | 1))
                    }
                }
                if candidate.fidelity != nil || answer.candidates.count == Self.candidates { break }
            }
            entries += [.answer(answer)] + reports
        }
        return entries
    }

    private static func judge(
        _ stored: ExportedArchive, for device: DeviceID, in context: Context, by settings: App.Settings,
        at time: Timestamp
    ) -> RestoreAnswer.Candidate {
        let facts = RestoreCandidate(stored.archive)
        let verdict = settings.evaluate(facts, for: context, at: time)
        let eligibility = RestoreEligibility(
            after: stored.outcomes, madeBy: stored.archive.device, for: device, in: context)
        var exclusion = eligibility.isExcluded ? eligibility.reason : nil
        exclusion?.details = Outcome.Details()
        return RestoreAnswer.Candidate(
            archive: stored.archive.id, facts: facts, exclusion: exclusion,
            fidelity: exclusion == nil ? verdict.fidelity : nil,
            reasons: (verdict.reasons + [eligibility.reason].compactMap(\.self)).map(\.code))
    }
}
