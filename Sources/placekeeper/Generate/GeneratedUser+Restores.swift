import PlacekeeperCore
import PlacekeeperService

extension GeneratedUser {
    private static let candidates = 16
    /// How many of the newest archives a device asks for.
    private static let asked = 4

    /// Returns answers and reports for the restore log. Some minutes after the user saved one of the newest archives,
    /// one of the user's devices asks for the scene, and reports the outcome of the restore. On iPads, many restores of
    /// version 43 fail.
    func restores(judgedBy settings: App.Settings, until now: Timestamp) -> [RestoreLogEntry] {
        var random = SeededGenerator(seed: ~seed)
        let archives = records.compactMap { record -> Archive? in
            if case .archive(let exported) = record { exported.archive } else { nil }
        }
        var entries: [RestoreLogEntry] = []
        for index in archives.indices.suffix(Self.asked) {
            guard let device = devices.randomElement(using: &random) else { continue }
            let time = min(now, archives[index].receivedAt + .seconds(Int.random(in: 60...1800, using: &random)))
            let context = Context(
                idiom: device.idiom, layout: device.idiom == .phone ? .compact : .regular,
                bundleVersion: ["42", "43"].randomElement(using: &random), systemVersion: "18.1")
            let scene = archives[index].scene
            var answer = RestoreAnswer(
                at: time, owner: owner, device: device.id, scene: scene.name, asked: context, candidates: [])
            var served: Archive?
            for archive in archives[...index].reversed() where archive.scene == scene {
                guard served == nil, answer.candidates.count < Self.candidates else { break }
                let facts = RestoreCandidate(archive)
                let verdict = settings.evaluate(facts, for: context, at: time)
                answer.candidates.append(
                    .init(
                        archive: archive.id, facts: facts, fidelity: verdict.fidelity,
                        reasons: verdict.reasons.map(\.code)))
                if verdict.fidelity != nil { served = archive }
            }
            entries.append(.answer(answer))
            guard let served else { continue }
            let isRisky = device.idiom == .pad && context.bundleVersion == "43"
            let isFailure = Int.random(in: 0..<100, using: &random) < (isRisky ? 45 : 2)
            entries.append(
                .report(
                    RestoreReport(
                        at: min(now, time + .seconds(2)), owner: owner, device: device.id, scene: scene.name,
                        archive: served.id, result: isFailure ? (isRisky ? .crashed : .failed) : .restored,
                        path: isFailure ? Self.failedPaths.randomElement(using: &random) : nil,
                        duration: .milliseconds(Int.random(in: 20...400, using: &random)), source: served.context,
                        target: context, network: UInt32(truncatingIfNeeded: device.id.low) | 1)))
        }
        return entries
    }
}
