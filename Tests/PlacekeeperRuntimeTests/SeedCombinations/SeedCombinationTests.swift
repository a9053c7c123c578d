import Foundation
import Testing

/// Plays sequences of steps through the runtime, and compares each launch with the oracle of the seeds.
@MainActor
struct SeedCombinationTests {
    /// The number of sequences that are drawn.
    nonisolated static let count =
        ProcessInfo.processInfo.environment["PLACEKEEPER_HISTORIES"].flatMap { UInt64($0) } ?? 100

    private func check(_ steps: [SeedStep], _ comment: String) throws {
        var sequence = PlayedSequence()
        for step in steps.filter({ $0.kind == .given }) + steps.filter({ $0.kind == .when }) { step.change(&sequence) }
        let launches = try CombinationApp.launches(of: sequence)
        for (number, (launch, promised)) in zip(launches, SeedOracle.launches(of: sequence)).enumerated()
        where launch != promised {
            let facts = Set(launch.facts)
            let other = launch.facts.filter { !promised.facts.contains($0) }
            Issue.record(
                "launch \(number): \(other) instead of \(promised.facts.filter { !facts.contains($0) }), \(comment)")
        }
    }

    @Test func restoresEachStepAlone() throws {
        for step in SeedStep.all { try check([step], "\(step)") }
    }

    @Test func restoresDrawnSequences() throws {
        for seed in 1...Self.count {
            var random = SplitMix(seed: seed)
            let steps = SeedStep.all.shuffled(using: &random).prefix(Int.random(in: 2...6, using: &random))
            try check(Array(steps), "seed \(seed): \(steps.map(\.description).joined(separator: ", "))")
        }
    }
}
